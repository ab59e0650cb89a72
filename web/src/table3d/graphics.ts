/** Whether this browser can draw in three dimensions, and whether a graphics card does it. */

export type Graphics = "none" | "processor" | "card";

export function findGraphics(): Graphics {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (gl === null) return "none";
  const about = gl.getExtension("WEBGL_debug_renderer_info");
  const name = about === null ? "" : String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name) ? "processor" : "card";
}

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = "127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/quarterdeck/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600, // three.js, which only the games with ships load
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: {
    fs: { allow: [".."] }, // the catalogues lie beside the Python that reads them too
    proxy: {
      "/api": { target: `http://${server}` }, // not the short form, which changes the origin
      "/ws": { target: `ws://${server}`, ws: true },
    },
  },
  test: { environment: "node", include: ["tests/**/*.test.ts", "src/games/*/*.test.ts"] },
});

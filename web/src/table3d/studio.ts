/** What every picture of a ship has: light, sea, camera, and a renderer that draws as well as it can. */

import {
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";

import { Backdrop } from "./backdrop";
import { Plain } from "./plain";
import type { Vec } from "./poses";
import { Sea, type Hull } from "./sea";
import type { Sky, Theme } from "./sky";
import { Viewpoint } from "./viewpoint";

const LIGHTS = {
  dark: { sky: "#ffdcb0", ground: "#2c5468", fill: 1.9, lamp: "#ffd9a6", key: 2.9 },
  light: { sky: "#fff9ec", ground: "#8fc2c4", fill: 2.2, lamp: "#fff3dc", key: 2.5 },
} as const;

/** From rich to plain: pixels for one of the page, and the side of the shadow map, 0 for plain materials. */
const QUALITY = [
  { pixels: 2, shadow: 1024 },
  { pixels: 1.5, shadow: 1024 },
  { pixels: 1, shadow: 512 },
  { pixels: 0.75, shadow: 0 },
  { pixels: 0.5, shadow: 0 },
  { pixels: 0.4, shadow: 0 },
  { pixels: 0.3, shadow: 0 },
] as const;
const FINE = 0;
/** Where the processor draws: the richest it tries, and about how many pixels it has time for. */
const SLOW = 3;
const SLOW_PIXELS = 90_000;

export interface Setting {
  sky: Record<Theme, Sky>;
  /** How deep below the origin the water is, in metres. */
  depth: number;
  hull: Hull;
  /** Half the extent of what casts shadows, in metres. */
  shadow: { x: number; y: number };
}

export class Studio {
  readonly view = new Viewpoint();
  readonly space = new Scene();
  readonly sea: Sea;

  #renderer: WebGLRenderer;
  #lamp = new DirectionalLight();
  #fill = new HemisphereLight();
  /** How it is drawn while something moves, and how it was drawn last, if it was. */
  #quality: number;
  #level: number | null = null;
  #isSlow: boolean;
  /** Shadows are drawn when something has moved, and not in every picture where that is slow. */
  #shadowEvery: number;
  #isShadowStale = true;
  #drawn = 0;
  #ray = new Raycaster();
  #size = { width: 1, height: 1 };
  #sky: Record<Theme, Sky>;
  #backdrop = new Backdrop();
  #plain = new Plain();

  /** `isSlow`: the processor draws. Throws if the browser cannot draw. */
  constructor(canvas: HTMLCanvasElement, { sky, depth, hull, shadow }: Setting, isSlow: boolean) {
    // nothing of the page shows through: a browser without a graphics card is slow to mix the two
    this.#renderer = new WebGLRenderer({ canvas, alpha: false, antialias: !isSlow, powerPreference: "low-power" });
    this.#sky = sky;
    this.#quality = isSlow ? SLOW : FINE;
    this.#isSlow = isSlow;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#shadowEvery = isSlow ? 3 : 1;
    this.sea = new Sea(-depth, hull, isSlow ? 26 : 44);
    this.#lamp.position.set(-0.35, -0.62, 0.95);
    const { x, y } = shadow;
    Object.assign(this.#lamp.shadow.camera, { left: -x, right: x, top: y, bottom: -y, near: 0.4, far: 2 });
    this.#lamp.shadow.bias = -0.0015;
    this.#lamp.shadow.normalBias = 0.0006;
    this.space.add(this.#backdrop, this.sea, this.#lamp, this.#fill);
  }

  setTheme(theme: Theme): void {
    const light = LIGHTS[theme];
    this.#backdrop.setSky(this.#sky[theme]);
    this.#fill.color.set(light.sky);
    this.#fill.groundColor.set(light.ground);
    this.#fill.intensity = light.fill;
    this.#lamp.color.set(light.lamp);
    this.#lamp.intensity = light.key;
    this.#plain.setLight({
      sky: new Color(light.sky).multiplyScalar(light.fill),
      ground: new Color(light.ground).multiplyScalar(light.fill),
      lamp: new Color(light.lamp).multiplyScalar(light.key),
      toLamp: this.#lamp.position,
    });
    this.sea.setTheme(theme);
  }

  resize(width: number, height: number): void {
    this.#size = { width, height };
    if (this.#isSlow && this.#level === null) {
      const isQuick = ({ pixels }: { pixels: number }) => width * height * pixels ** 2 < SLOW_PIXELS;
      while (this.#quality < QUALITY.length - 1 && !isQuick(QUALITY[this.#quality]!)) this.#quality++;
    }
    const { pixels } = QUALITY[this.#level ?? this.#quality]!;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, pixels));
    this.#renderer.setSize(width, height, false);
    this.view.resize(width, height);
  }

  // Drawing -------------------------------------------------------------------------------------

  /** From now on draws plainer while something moves, if it can. */
  drawPlainer(): void {
    this.#quality = Math.min(this.#quality + 1, QUALITY.length - 1);
  }

  /** The same the other way, up to how it began. */
  drawRicher(): void {
    this.#quality = Math.max(this.#quality - 1, this.#isSlow ? SLOW : FINE);
  }

  /** How many samples keep a texture sharp where one looks along it. */
  get sharpness(): number {
    return this.#isSlow ? 1 : 4;
  }

  /** How smooth small things are, 1 being usual. */
  get detail(): number {
    return this.#isSlow ? 0.6 : 1;
  }

  /** Something that casts a shadow has moved. */
  moved(): void {
    this.#isShadowStale = true;
  }

  get isShadowStale(): boolean {
    return this.#isShadowStale;
  }

  #draw(level: number): void {
    this.#level = level;
    const { shadow } = QUALITY[level]!;
    this.#renderer.shadowMap.enabled = this.#lamp.castShadow = shadow > 0;
    this.#lamp.shadow.mapSize.set(shadow || 1, shadow || 1);
    this.#lamp.shadow.map?.dispose();
    this.#lamp.shadow.map = null;
    this.#isShadowStale = true;
    this.#drawn = 0;
    this.resize(this.#size.width, this.#size.height);
  }

  render(): void {
    if (this.#level !== this.#quality) this.#draw(this.#quality);
    if (QUALITY[this.#quality]!.shadow === 0) return this.#renderPlain();
    if (this.#isShadowStale && this.#drawn++ % this.#shadowEvery === 0) {
      this.#renderer.shadowMap.needsUpdate = true;
      this.#isShadowStale = false;
    }
    this.#renderer.render(this.space, this.view.camera);
  }

  /** Everything in its plain material, just for this picture. */
  #renderPlain(): void {
    this.#isShadowStale = false;
    const usual: [Mesh, MeshLambertMaterial][] = [];
    this.space.traverseVisible((thing) => {
      if (thing instanceof Mesh && thing.material instanceof MeshLambertMaterial) usual.push([thing, thing.material]);
    });
    for (const [mesh, material] of usual) mesh.material = this.#plain.of(material);
    this.#renderer.render(this.space, this.view.camera);
    for (const [mesh, material] of usual) mesh.material = material;
  }

  /** One picture as good as it gets, for when nothing moves. */
  renderFine(): void {
    if (this.#level === FINE) return;
    this.#draw(FINE);
    this.#renderer.shadowMap.needsUpdate = true;
    this.#isShadowStale = false;
    this.#renderer.render(this.space, this.view.camera);
  }

  // Where things are ----------------------------------------------------------------------------

  /** A point of the canvas, from its corner in pixels, as a line of sight. */
  sightLine(x: number, y: number): { eye: Vec; through: Vec } {
    const { origin, direction } = this.#aim(x, y);
    return { eye: origin.toArray(), through: origin.clone().addScaledVector(direction, 0.5).toArray() };
  }

  /** Where the line of sight meets the plane through `at` that looks to `facing`. */
  onPlane(x: number, y: number, at: Vec, facing: Vec): Vec | null {
    const plane = new Plane().setFromNormalAndCoplanarPoint(new Vector3(...facing), new Vector3(...at));
    return this.#aim(x, y).intersectPlane(plane, new Vector3())?.toArray() ?? null;
  }

  /** Where a point is on the canvas, in pixels. */
  onCanvas(at: Vec): [x: number, y: number] {
    const { x, y } = new Vector3(...at).project(this.view.camera);
    return [((x + 1) / 2) * this.#size.width, ((1 - y) / 2) * this.#size.height];
  }

  #aim(x: number, y: number) {
    const { width, height } = this.#size;
    this.#ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.view.camera);
    return this.#ray.ray;
  }

  close(): void {
    this.space.traverse((thing) => {
      if (!(thing instanceof Mesh)) return;
      thing.geometry.dispose();
      for (const material of [thing.material].flat()) {
        (material as MeshLambertMaterial).map?.dispose();
        material.dispose();
      }
    });
    this.#renderer.dispose();
  }
}

/**
 * Materials whose light and colour are reckoned at the corners instead of at every pixel: what a
 * processor that draws has time for. They look much like the usual ones, but nothing throws shadows
 * on them and painted wood has no grain.
 */

import {
  Color,
  DoubleSide,
  NoColorSpace,
  ShaderMaterial,
  Vector3,
  type MeshLambertMaterial,
  type ShaderMaterialParameters,
  type Texture,
} from "three";

/** From light as it adds up to numbers a screen takes; near enough, by roots, which are quicker than powers. */
const ENCODE = /* glsl */ `
  vec3 encode(vec3 light) {
    vec3 second = sqrt(light);
    vec3 fourth = sqrt(second);
    return 0.662 * second + 0.6841 * fourth - 0.3236 * sqrt(fourth) - 0.0225 * light;
  }
`;

const LIT = {
  vertexShader: /* glsl */ `
    uniform vec3 paint;
    uniform vec3 glow;
    uniform vec3 sky;
    uniform vec3 ground;
    uniform vec3 lamp;
    uniform vec3 toLamp;
    varying vec3 vColour;
    #ifdef PAPERED
      varying vec2 vPlace;
    #endif
    ${ENCODE}
    void main() {
      vec4 at = modelMatrix * vec4(position, 1.0);
      vec3 facing = normalize(mat3(modelMatrix) * normal);
      #ifdef BOTH_SIDES
        facing *= dot(facing, cameraPosition - at.xyz) < 0.0 ? -1.0 : 1.0;
      #endif
      vec3 light = mix(ground, sky, 0.5 * facing.z + 0.5) + lamp * max(0.0, dot(facing, toLamp));
      vec3 surface = paint;
      #ifdef USE_COLOR
        surface *= color;
      #endif
      vColour = encode(surface * light + glow);
      #ifdef PAPERED
        vPlace = uv;
      #endif
      gl_Position = projectionMatrix * viewMatrix * at;
    }
  `,
  fragmentShader: /* glsl */ `
    varying vec3 vColour;
    #ifdef PAPERED
      uniform sampler2D paper;
      varying vec2 vPlace;
    #endif
    void main() {
      gl_FragColor = vec4(vColour, 1.0);
      #ifdef PAPERED
        gl_FragColor.rgb *= texture2D(paper, vPlace).rgb;
      #endif
    }
  `,
};

/** Colours of corners as they are, with their opacity. */
export const unlit = (more: ShaderMaterialParameters = {}): ShaderMaterial =>
  new ShaderMaterial({
    ...more,
    vertexColors: true,
    vertexShader: /* glsl */ `
      varying vec4 vColour;
      ${ENCODE}
      void main() {
        vColour = vec4(encode(color.rgb), color.a);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      varying vec4 vColour;
      void main() {
        gl_FragColor = vColour;
      }
    `,
  });

/** Colours of corners as the screen takes them, over the whole picture and behind everything. */
export const behind = (): ShaderMaterial =>
  new ShaderMaterial({
    vertexColors: true,
    depthTest: false,
    depthWrite: false,
    vertexShader: /* glsl */ `
      varying vec3 vColour;
      void main() {
        vColour = color;
        gl_Position = vec4(position.xy, 1.0, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      varying vec3 vColour;
      void main() {
        gl_FragColor = vec4(vColour, 1.0);
      }
    `,
  });

/** The texture with its numbers as they are: the screen takes them like that. */
function raw(texture: Texture): Texture {
  const other = texture.clone();
  other.colorSpace = NoColorSpace;
  other.needsUpdate = true;
  return other;
}

export interface Light {
  sky: Color;
  ground: Color;
  lamp: Color;
  toLamp: Vector3;
}

/** The plain likeness of every usual material. */
export class Plain {
  #light = { sky: { value: new Color() }, ground: { value: new Color() }, lamp: { value: new Color() }, toLamp: { value: new Vector3() } };
  #made = new Map<MeshLambertMaterial, ShaderMaterial>();

  /** Colours by their strength, as light adds up. */
  setLight({ sky, ground, lamp, toLamp }: Light): void {
    const dim = 1 / Math.PI; // what a matt surface throws back
    this.#light.sky.value.copy(sky).multiplyScalar(dim);
    this.#light.ground.value.copy(ground).multiplyScalar(dim);
    this.#light.lamp.value.copy(lamp).multiplyScalar(dim);
    this.#light.toLamp.value.copy(toLamp).normalize();
  }

  of(usual: MeshLambertMaterial): ShaderMaterial {
    return this.#made.get(usual) ?? this.#make(usual);
  }

  #make(usual: MeshLambertMaterial): ShaderMaterial {
    const { side, vertexColors, polygonOffset, polygonOffsetFactor } = usual;
    const paper = vertexColors || usual.map === null ? null : raw(usual.map);
    const plain = new ShaderMaterial({
      ...LIT,
      side,
      vertexColors,
      polygonOffset,
      polygonOffsetFactor,
      defines: { ...(paper !== null && { PAPERED: "" }), ...(side === DoubleSide && { BOTH_SIDES: "" }) },
      uniforms: { ...this.#light, paint: { value: usual.color }, glow: { value: usual.emissive }, paper: { value: paper } },
    });
    this.#made.set(usual, plain);
    usual.addEventListener("dispose", () => {
      this.#made.delete(usual);
      paper?.dispose();
      plain.dispose();
    });
    return plain;
  }
}

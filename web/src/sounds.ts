/** Sounds made on the spot from oscillators and noise; no file is loaded. */

export type SoundName =
  | "card" // a card slides onto the table
  | "deal" // several cards, one after another
  | "knock" // knuckles on wood: a bid is sealed
  | "drum" // the thumps of yo-ho-ho
  | "trick" // cards are swept together
  | "coin" // a bonus
  | "wood" // wood on wood, by its strength
  | "splash" // into the water
  | "turn" // a ship's bell: your turn
  | "win" // a short shanty
  | "lose" // the same, downwards
  | "chat" // somebody said something
  | "error"; // refused

/** `loud` from 0 to 1. */
type Player = (out: Output, loud: number) => void;

/** Where a sound goes, and when it begins. */
class Output {
  constructor(
    readonly context: AudioContext,
    readonly target: AudioNode,
    readonly at: number,
  ) {}

  /** A tone that fades, gliding from one pitch to another. */
  tone(
    after: number,
    pitch: number,
    length: number,
    { to = pitch, loud = 0.2, shape = "sine" as OscillatorType } = {},
  ): void {
    const start = this.at + after;
    const oscillator = this.context.createOscillator();
    oscillator.type = shape;
    oscillator.frequency.setValueAtTime(pitch, start);
    oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
    oscillator.connect(this.#envelope(start, length, loud, 0.004));
    oscillator.start(start);
    oscillator.stop(start + length + 0.02);
  }

  /** Noise through a band, as of paper, cloth or wood, its middle gliding. */
  noise(
    after: number,
    length: number,
    {
      from,
      to = from,
      narrow = 1,
      loud = 0.2,
    }: { from: number; to?: number; narrow?: number; loud?: number },
  ): void {
    const start = this.at + after;
    const source = this.context.createBufferSource();
    source.buffer = noiseBuffer(this.context);
    source.loop = true;
    const band = this.context.createBiquadFilter();
    band.type = "bandpass";
    band.Q.value = narrow;
    band.frequency.setValueAtTime(from, start);
    band.frequency.exponentialRampToValueAtTime(to, start + length);
    source.connect(band).connect(this.#envelope(start, length, loud, length / 6));
    source.start(start, Math.random());
    source.stop(start + length + 0.02);
  }

  #envelope(start: number, length: number, loud: number, rise: number): GainNode {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(loud, start + rise);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    gain.connect(this.target);
    return gain;
  }
}

let noiseCache: AudioBuffer | null = null;

function noiseBuffer(context: AudioContext): AudioBuffer {
  if (noiseCache === null) {
    noiseCache = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
    const samples = noiseCache.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  return noiseCache;
}

function slide(out: Output, after = 0, loud = 0.16): void {
  out.noise(after, 0.11, { from: 1800, to: 4200, narrow: 0.8, loud });
  out.tone(after + 0.09, 210, 0.05, { to: 120, loud: loud * 0.7 });
}

function thump(out: Output, after: number, loud = 0.5): void {
  out.tone(after, 120, 0.28, { to: 48, loud });
  out.noise(after, 0.06, { from: 500, to: 200, loud: loud * 0.35 });
}

function bell(out: Output, after: number, loud = 0.12): void {
  for (const [ratio, length] of [
    [1, 0.9],
    [2.76, 0.5],
    [5.4, 0.22],
  ] as const) {
    out.tone(after, 620 * ratio, length, { loud: loud / ratio });
  }
}

function tune(out: Output, notes: readonly (readonly [number, number])[]): void {
  let after = 0;
  for (const [pitch, length] of notes) {
    out.tone(after, pitch, length * 1.4, { shape: "triangle", loud: 0.16 });
    out.tone(after, pitch / 2, length * 1.2, { shape: "sine", loud: 0.1 });
    after += length;
  }
}

const SOUNDS: Record<SoundName, Player> = {
  card: (out) => slide(out),
  deal: (out) => [0, 0.09, 0.18, 0.27].forEach((after) => slide(out, after, 0.1)),
  knock: (out) =>
    [0, 0.13].forEach((after) => {
      out.tone(after, 260, 0.07, { to: 150, loud: 0.3 });
      out.noise(after, 0.04, { from: 900, narrow: 2, loud: 0.25 });
    }),
  drum: (out) => [0, 0.32, 0.64].forEach((after, i) => thump(out, after, 0.4 + i * 0.1)),
  trick: (out) => out.noise(0, 0.3, { from: 1200, to: 3400, narrow: 0.6, loud: 0.16 }),
  coin: (out) => {
    out.tone(0, 1980, 0.12, { loud: 0.1, shape: "triangle" });
    out.tone(0.07, 2640, 0.35, { loud: 0.1, shape: "triangle" });
  },
  wood: (out, loud) => {
    // the harder the knock, the brighter
    out.tone(0, 420 + 260 * loud, 0.05 + 0.03 * loud, { to: 230, loud: 0.04 + 0.3 * loud });
    out.tone(0, 1150, 0.03, { to: 800, loud: 0.02 + 0.1 * loud, shape: "triangle" });
    out.noise(0, 0.03, { from: 1400 + 1400 * loud, narrow: 1.5, loud: 0.03 + 0.25 * loud });
  },
  splash: (out) => {
    out.noise(0, 0.14, { from: 700, to: 2600, narrow: 0.7, loud: 0.3 });
    out.noise(0.1, 0.5, { from: 2400, to: 500, narrow: 0.6, loud: 0.14 });
    out.tone(0.03, 190, 0.16, { to: 420, loud: 0.14 });
  },
  turn: (out) => {
    bell(out, 0);
    bell(out, 0.22);
  },
  win: (out) =>
    tune(out, [
      [392, 0.14],
      [440, 0.14],
      [494, 0.14],
      [587, 0.28],
      [494, 0.14],
      [587, 0.14],
      [784, 0.5],
    ]),
  lose: (out) =>
    tune(out, [
      [440, 0.18],
      [392, 0.18],
      [349, 0.18],
      [294, 0.5],
    ]),
  chat: (out) => out.tone(0, 700, 0.12, { to: 950, loud: 0.08 }),
  error: (out) => {
    out.tone(0, 170, 0.12, { shape: "square", loud: 0.05 });
    out.tone(0.13, 130, 0.2, { shape: "square", loud: 0.05 });
  },
};

let context: AudioContext | null = null;
let master: GainNode | null = null;

/** Browsers keep silent until somebody has touched the page; so do we, and nothing piles up. */
function wake(): void {
  if (context === null) {
    if (typeof AudioContext === "undefined") return;
    context = new AudioContext();
    master = context.createGain();
    master.gain.value = 0.7;
    master.connect(context.destination);
  }
  if (context.state === "suspended") void context.resume();
}

if (typeof addEventListener === "function") {
  addEventListener("pointerdown", wake, { passive: true });
  addEventListener("keydown", wake, { passive: true });
}

export function playSound(name: SoundName, loud = 1): void {
  if (context?.state !== "running" || master === null || document.hidden) return;
  SOUNDS[name](new Output(context, master, context.currentTime + 0.01), loud);
}

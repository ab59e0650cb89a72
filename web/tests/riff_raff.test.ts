import { describe, expect, test } from "vitest";

import { bestAngle, fit, isHidden, towards } from "../src/table3d/angle";
import { Hand, nudge, nudgeOf, planeFor } from "../src/games/riff_raff/hand";
import { middleOf, pieceOf, reachOf, sideOf, type Kit } from "../src/games/riff_raff/kit";
import { footprint, outline } from "../src/games/riff_raff/plan";
import { rotate, type Vec } from "../src/table3d/poses";
import { Viewpoint } from "../src/table3d/viewpoint";
import { reelsOf } from "../src/games/riff_raff/replay";
import { args, cardOf, counted, nextInOrder, onlyOrder, type View } from "../src/games/riff_raff/view";

const KIT = {
  water: { depth: 45 },
  hand: { leash: 20, top: 420, reach: 320 },
  areas: {
    1: { from: [-160, -55], to: [-85, 55], top: 28 },
    2: { from: [-85, -55], to: [0, 55], top: 18 },
    3: { from: [0, -55], to: [85, 55], top: 18 },
    4: { from: [85, -55], to: [160, 55], top: 28 },
    5: { from: [-175, -15], to: [0, 15], top: 95 },
  },
  pieces: {
    crate: { count: 4, sides: [[0, 0]], parts: [{ kind: "box", size: [28, 28, 28], at: [0, 0, 0] }] },
    plank: {
      count: 4,
      sides: [
        [0, 0],
        [90, 0],
      ],
      parts: [{ kind: "box", size: [70, 16, 6], at: [0, 0, 0] }],
    },
  },
} as unknown as Kit;

const near = (a: Vec, b: Vec) => a.forEach((part, axis) => expect(part).toBeCloseTo(b[axis]!, 6));

describe("the kit", () => {
  test("a piece's number says its shape", () => {
    expect([0, 3, 4, 12, 31].map(pieceOf)).toEqual(["boat", "boat", "barrel", "crate", "chest"]);
  });

  test("areas in metres", () => {
    near(middleOf({ from: [-160, -55], to: [-85, 55], top: 28 }), [-0.1225, 0, 0.028]);
    expect(reachOf(KIT)).toEqual([0.16, 0.055]);
  });

  test("a plank on its edge is tall", () => {
    near(rotate(sideOf(KIT, "plank", 1), [0, 1, 0]), [0, 0, 1]);
  });
});

describe("what the actions say", () => {
  test("by verb", () => {
    expect(args(["take rat", "take crate", "announce 1"], "take")).toEqual(["rat", "crate"]);
  });

  test("an order is put together seat by seat", () => {
    const legal = ["order 0,1,3", "order 0,3,1", "order 1,0,3", "order 1,3,0"];
    expect(nextInOrder(legal, [])).toEqual([0, 1]);
    expect(onlyOrder(legal, [0])).toBeNull();
    expect(nextInOrder(legal, [0])).toEqual([1, 3]);
    expect(onlyOrder(legal, [0, 3])).toBe("order 0,3,1");
  });

  test("the card of this round counts once it lies open", () => {
    const view = { phase: "card", played: [7, "?"], last: [3, null] } as unknown as View;
    expect([cardOf(view, 0), cardOf(view, 1)]).toEqual([3, null]);
    expect(cardOf({ ...view, phase: "take" }, 0)).toBe(7);
  });

  test("equal pieces together", () => {
    expect(counted(["rat", "boat", "rat"])).toEqual([
      ["boat", 1],
      ["rat", 2],
    ]);
  });
});

describe("the hand", () => {
  const hand = () => new Hand(KIT, "plank", { at: [0, -0.17, 0.15], turn: [1, 0, 0, 0] });
  const abeam = { azimuth: 0, elevation: 0.3 };

  test("moves in the picture, deeper, and no farther than an arm reaches", () => {
    const mine = hand();
    nudge(mine, abeam, { right: 0.01, away: 0.02, up: 0.03 });
    near(mine.at, [0.01, -0.15, 0.18]);
    nudge(mine, { azimuth: Math.PI / 2, elevation: 0.3 }, { away: 0.02 });
    near(mine.at, [-0.01, -0.15, 0.18]);
    mine.moveTo([9, -9, -9]);
    near(mine.at, [0.32, -0.32, -0.045]);
  });

  test("turns, and keeps the turn when the piece is tipped over", () => {
    const mine = hand();
    mine.spin(0.5);
    expect(mine.yaw).toBeCloseTo(0.5, 6);
    mine.tip();
    expect(mine.side).toBe(1);
    near(rotate(mine.turn, [0, 1, 0]), [0, 0, 1]);
    expect(mine.yaw).toBeCloseTo(0.5, 6);
    mine.tip();
    expect(mine.side).toBe(0);
  });

  test("keys: Shift goes farther and turns less", () => {
    expect(nudgeOf("ArrowLeft", false)?.right).toBeLessThan(0);
    expect(nudgeOf("ArrowLeft", true)?.right).toBeCloseTo(5 * nudgeOf("ArrowLeft", false)!.right!, 9);
    expect(nudgeOf("Q", true)?.spin).toBeCloseTo(nudgeOf("q", false)!.spin! / 5, 9);
    expect(nudgeOf("Escape", false)).toBeNull();
  });

  test("deeper is where the pointer does not move it: away, or down when one looks down", () => {
    const mine = hand();
    nudge(mine, abeam, { deeper: 0.02 });
    near(mine.at, [0, -0.15, 0.15]);
    nudge(mine, { azimuth: 0, elevation: 1.2 }, { deeper: 0.02 });
    near(mine.at, [0, -0.15, 0.13]);
  });

  test("the pointer's plane stands upright, but lies when one looks down", () => {
    near(planeFor(abeam), [0, -1, 0]);
    near(planeFor({ azimuth: 0, elevation: 1.2 }), [0, 0, 1]);
  });
});

describe("the angle", () => {
  test("the first picture is where one was told to look; later ones get there by and by", () => {
    const view = new Viewpoint();
    view.step(0.016, false); // nobody has said yet where to look
    view.frame([[-0.2, 0, 0], [0.2, 0, 0.3]], { azimuth: 0, elevation: 0.3 });
    view.step(0.016, false);
    const there = view.camera.position.toArray();
    expect(view.step(0.016, false)).toBe(false);
    expect(view.camera.position.toArray()).toEqual(there);
    view.frame([[0, 0, 0], [0.02, 0, 0.03]]);
    expect(view.step(0.016, false)).toBe(true);
  });

  test("everything fits into the picture, and a narrow one needs more distance", () => {
    const corners: Vec[] = [-0.2, 0.2].flatMap((x) => [0, 0.3].map((z): Vec => [x, 0, z]));
    const angle = { azimuth: 0, elevation: 0 };
    const wide = fit(angle, corners, 0.25, 2);
    near(wide.target, [0, 0, 0.15]);
    expect(wide.distance).toBeCloseTo(0.6, 6);
    expect(fit(angle, corners, 0.25, 0.5).distance).toBeCloseTo(1.6, 6);
  });

  test("what is near the eye is centred as it is seen, not as it is", () => {
    const angle = { azimuth: 0, elevation: 0 };
    const points: Vec[] = [
      [0.1, 0, 0.1],
      [-0.1, 0, 0.1],
      [0, -0.3, -0.1], // towards the eye
    ];
    const { target, distance } = fit(angle, points, 0.25, 1);
    const seen = points.map(([, y, z]) => (z - target[2]) / (distance + y));
    expect(Math.max(...seen)).toBeCloseTo(-Math.min(...seen), 3);
    expect(Math.max(...seen)).toBeLessThanOrEqual(0.25 + 1e-6);
  });

  test("a box hides what is behind it only", () => {
    const box = { low: [-1, -2, -1] as Vec, high: [1, -1, 1] as Vec };
    const to = towards({ azimuth: 0, elevation: 0 });
    expect(isHidden([0, 0, 0], to, box)).toBe(true);
    expect(isHidden([2, 0, 0], to, box)).toBe(false);
    expect(isHidden([0, -3, 0], to, box)).toBe(false);
  });

  test("it goes where a yard above hides nothing", () => {
    const deck: Vec[] = [-0.04, 0, 0.04].map((y) => [0.1, y, 0.03]);
    const usual = { azimuth: 0.35, elevation: 0.7 };
    const yard = { low: [-0.2, -0.2, 0.06] as Vec, high: [0.3, 0.06, 0.07] as Vec };
    const found = bestAngle(deck, [yard], usual);
    expect(bestAngle(deck, [], usual)).toEqual(usual);
    expect(found.elevation).toBeLessThan(0.5);
  });
});

describe("from above", () => {
  test("the outline around points", () => {
    const square = outline([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0]]);
    expect(square).toEqual([[0, 0], [2, 0], [2, 2], [0, 2]]);
  });

  test("a crate covers a square where it lies, a plank on its edge a strip", () => {
    const crate = footprint(KIT, "crate", [0.1, -0.02, 0], [1, 0, 0, 0]);
    expect(Math.min(...crate.map(([x]) => x))).toBeCloseTo(86, 6);
    expect(Math.max(...crate.map(([, y]) => y))).toBeCloseTo(-6, 6);
    const plank = footprint(KIT, "plank", [0, 0, 0], sideOf(KIT, "plank", 1));
    expect(Math.max(...plank.map(([, y]) => y))).toBeCloseTo(3, 6);
  });
});

test("the loadings of a record, and which of them were falls", () => {
  const log = [
    { by: 0, do: "card 7" },
    { by: 1, do: "card 2" },
    { by: 0, do: "take crate" },
    { by: "nature" as const, do: "settle crate=7", with: { motion: "a" } },
    { by: 1, do: "take rat" },
    { by: "nature" as const, do: "settle rat=fell fell crate@7", with: { motion: "b" } },
    { by: "nature" as const, do: "settle rat=2" },
  ];
  expect(reelsOf(log)).toEqual([
    { seat: 0, piece: "crate", area: 7, isFall: false, motion: "a" },
    { seat: 1, piece: "rat", area: 2, isFall: true, motion: "b" },
  ]);
});

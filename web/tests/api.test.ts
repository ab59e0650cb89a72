import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { joinTable, makeTable } from "../src/api";

const SEATED = { table: "abc", keys: [{ seat: 0, token: "t" }] };

const answered = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status });

describe("what shall happen once", () => {
  const sent: Record<string, unknown>[] = [];
  let answers: (Response | "lost")[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    sent.length = 0;
    vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
      sent.push(JSON.parse(body) as Record<string, unknown>);
      const answer = answers.shift() ?? "lost";
      return answer === "lost" ? Promise.reject(new TypeError()) : Promise.resolve(answer);
    });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("is sent again with the same key while its answer is lost", async () => {
    answers = ["lost", "lost", answered(200, SEATED)];
    const made = makeTable({ game: "skull-king", name: "Ann", seats: [{ kind: "mine" }] });
    await vi.runAllTimersAsync();
    expect(await made).toEqual(SEATED);
    expect(sent).toHaveLength(3);
    expect(sent[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  test("is not sent again once it was refused", async () => {
    answers = [answered(409, { code: "no-seat", message: "none is open" })];
    await expect(joinTable("abc", { name: "Ann" })).rejects.toMatchObject({ code: "no-seat" });
    expect(sent).toHaveLength(1);
  });

  test("is given up in the end, and another one has another key", async () => {
    answers = [];
    const joined = expect(joinTable("abc", { name: "Ann" })).rejects.toMatchObject({
      code: "not-connected",
    });
    await vi.runAllTimersAsync();
    await joined;
    expect(sent).toHaveLength(4);
    answers = [answered(200, SEATED)];
    await joinTable("abc", { name: "Ann" });
    expect(sent[4]!.key).not.toBe(sent[0]!.key);
  });
});

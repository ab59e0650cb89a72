/** Numbers on cards, drawn from `digits.svg` (`#digit-0` …), 24 high. */

/** The digits a number is drawn with, each with its distance to the right, and how wide they are. */
export function digitsOf(number: number): { digits: { digit: string; x: number }[]; width: number } {
  let end = 0;
  const digits = [...String(number)].map((digit, place) => {
    const x = place ? end + 6 : 0;
    end = x + (digit === "1" ? 7.5 : 16);
    return { digit, x };
  });
  return { digits, width: end };
}

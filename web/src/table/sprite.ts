/** The drawings the cards of a game share, put into the page once and referred to by `<use>`. */

const there = new Set<string>();

export function needSprite(drawings: string): void {
  if (there.has(drawings)) return;
  there.add(drawings);
  const holder = document.createElement("div");
  holder.setAttribute("aria-hidden", "true");
  holder.style.cssText = "position:absolute;width:0;height:0;overflow:hidden";
  holder.innerHTML = drawings;
  document.body.prepend(holder);
}

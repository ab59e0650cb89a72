/**
 * The drawings every card shares, put into the page once and referred to by `<use>`: the special
 * cards `sk-king` …, glyphs for the corners `sk-g-…`, a picture for each suit `sk-e-…`, the digits
 * `sk-d0` …. A card is 100 wide and 140 high. `--cut` is the colour seen through a glyph.
 */

import drawings from "./sprite.svg?raw";

let isThere = false;

export function needSprite(): void {
  if (isThere) return;
  isThere = true;
  const holder = document.createElement("div");
  holder.setAttribute("aria-hidden", "true");
  holder.style.cssText = "position:absolute;width:0;height:0;overflow:hidden";
  holder.innerHTML = drawings;
  document.body.prepend(holder);
}

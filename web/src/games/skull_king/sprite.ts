/** The drawings every card shares, put into the page once and referred to by `<use>`. */

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

/** Where we are: the harbour at `/`, a table at `/t/ID`. */

export type Route = { page: "harbour" } | { page: "table"; table: string };

export function parseRoute(path: string): Route {
  const table = /^\/t\/([\w-]+)\/?$/.exec(path)?.[1];
  return table === undefined ? { page: "harbour" } : { page: "table", table };
}

export function tablePath(table: string): string {
  return `/t/${table}`;
}

let route = $state.raw<Route>({ page: "harbour" });

export function currentRoute(): Route {
  return route;
}

function arrive(): void {
  route = parseRoute(location.pathname);
  scrollTo(0, 0);
}

export function watchRoute(): void {
  addEventListener("popstate", arrive);
  arrive();
}

export function go(path: string): void {
  history.pushState(null, "", path);
  arrive();
}

/** For links within the page; those to be opened elsewhere stay ordinary links. */
export function follow(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  go(event.currentTarget.pathname);
}

/** The heading of a page: a screen reader begins there after each change of place. */
export function beginHere(heading: HTMLElement): void {
  heading.tabIndex = -1;
  if (hasArrivedBefore) heading.focus({ preventScroll: true });
  hasArrivedBefore = true;
}

let hasArrivedBefore = false;

import { computed, signal } from "@preact/signals";

export type Place =
  | { readonly screen: "list" }
  | { readonly screen: "conversation"; readonly thread: string; readonly branch: string; readonly tab: "overview" | "calls" | "edits" }
  | { readonly screen: "call"; readonly thread: string; readonly branch: string; readonly sequence: string }
  | { readonly screen: "unknown" };

const ROOT = "/inspector";

/** The address of the page. It holds all state that can be shared or returned to. */
const address = signal(new URL(location.href));

export const place = computed<Place>(() => placeIn(address.value.pathname));
export const params = computed<URLSearchParams>(() => address.value.searchParams);

addEventListener("popstate", () => (address.value = new URL(location.href)));

function placeIn(path: string): Place {
  const [first, thread, branch, what, sequence, ...rest] = path.slice(ROOT.length).split("/").filter(Boolean).map(decoded);
  if (first === undefined) return { screen: "list" };
  if (first !== "c" || thread === undefined || branch === undefined || rest.length > 0) return { screen: "unknown" };
  if (what === undefined) return { screen: "conversation", thread, branch, tab: "overview" };
  if (what === "edits" && sequence === undefined) return { screen: "conversation", thread, branch, tab: "edits" };
  if (what !== "calls") return { screen: "unknown" };
  return sequence === undefined ? { screen: "conversation", thread, branch, tab: "calls" } : { screen: "call", thread, branch, sequence };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function listPath(): string {
  return ROOT + query();
}

export function conversationPath(ref: { readonly thread: string; readonly branch: string }, tab = "", more: Readonly<Record<string, string>> = {}): string {
  return `${ROOT}/c/${encodeURIComponent(ref.thread)}/${encodeURIComponent(ref.branch)}${tab === "" ? "" : `/${tab}`}${query(more)}`;
}

export function callPath(
  ref: { readonly thread: string; readonly branch: string },
  sequence: number | string,
  more: Readonly<Record<string, string>> = {},
): string {
  return `${ROOT}/c/${encodeURIComponent(ref.thread)}/${encodeURIComponent(ref.branch)}/calls/${sequence}${query(more)}`;
}

/** Builds a query that keeps the theme. */
function query(more: Readonly<Record<string, string>> = {}): string {
  const theme = address.peek().searchParams.get("theme");
  const text = new URLSearchParams({ ...(theme === null ? {} : { theme }), ...more }).toString();
  return text === "" ? "" : `?${text}`;
}

export function go(path: string): void {
  history.pushState(null, "", path);
  address.value = new URL(location.href);
  scrollTo(0, 0);
  document.getElementById("app")?.focus({ preventScroll: true });
}

/** Changes filters and the like on the same page, without a new history entry. */
export function setParams(changes: Readonly<Record<string, string | undefined>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  history.replaceState(null, "", url);
  address.value = url;
}

/** Follows one of our links without reloading the page, unless it is opened elsewhere. */
export function onLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.origin !== location.origin || link.hasAttribute("download") || !link.pathname.startsWith(ROOT)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/** Titles are kept cut, without a sign of it. */
const KEPT_CHARS = 120;

export function shownTitle(title: string): string {
  if (title === "") return "Without a title";
  return title.length >= KEPT_CHARS && !title.endsWith("…") ? `${title}…` : title;
}

/** Stored titles are cut to this length without an ellipsis. */
const KEPT_CHARS = 120;

export function shownTitle(title: string): string {
  if (title === "") return "Untitled";
  return title.length >= KEPT_CHARS && !title.endsWith("…") ? `${title}…` : title;
}

/** Prefixes and suffixes that providers and gateways add to model names, in the order in which they are removed. */
export const WRAPPINGS: readonly { readonly pattern: RegExp; readonly sample: string }[] = [
  { pattern: /^.*\//, sample: "openrouter/anthropic/claude-opus-4-5" },
  { pattern: /^(?:[a-z-]+\.)?(?:anthropic|openai|google|deepseek)\./, sample: "us.anthropic.claude-opus-4-5" },
  { pattern: /@.*$/, sample: "claude-opus-4-5@20251101" },
  { pattern: /\[1m\]$/, sample: "claude-opus-4-5[1m]" },
  { pattern: /:[^:]*$/, sample: "claude-opus-4-5:free" },
  { pattern: /(?<=^claude.*)-v\d+$/, sample: "claude-opus-4-5-v1:0" },
  { pattern: /-(?:20\d{6}|20\d\d-\d\d-\d\d|\d{6})$/, sample: "claude-opus-4-5-20251101" },
  { pattern: /-latest$/, sample: "claude-opus-4-5-latest" },
  { pattern: /-(?:preview|exp)(?:-\d\d-\d\d(?:\d\d)?)?$/, sample: "claude-opus-4-5-preview-05-06" },
];

/** Returns the lookup key of a model: equal for all spellings of its name. Dots count as dashes. */
export function modelKey(name: string): string {
  const lower = name.trim().toLowerCase();
  return WRAPPINGS.reduce((key, { pattern }) => key.replace(pattern, ""), lower).replaceAll(".", "-");
}

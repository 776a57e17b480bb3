/** Describes a failure of the caller's code in one line. */
export function failureWords(failure: unknown): string {
  const words = failure instanceof Error ? failure.message : String(failure);
  return words.split("\n", 1)[0]?.slice(0, 200) ?? "";
}

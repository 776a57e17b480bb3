const DIGITS = 8;

/** Returns the key of a call's note. */
export function callKey(branch: string, sequence: number): string {
  return `${branch}/${String(sequence).padStart(DIGITS, "0")}`;
}

export function sequenceOf(key: string): number {
  return Number(key.slice(key.lastIndexOf("/") + 1));
}

/* eslint-disable no-control-regex -- control characters are what this is about */

/** Links (OSC 8), other terminal commands, colours and cursor moves. Lone escapes are removed last, so that none is left to form a new sequence. */
const ESCAPE =
  /\u001b\]8;[^;\u0007\u001b\n]*;([^\u0007\u001b\n]*)(?:\u0007|\u001b\\)|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]+[0-~]|\u001b[0-Z\\^-~]?/g;

/** Removes the sequences that a terminal would obey instead of show; the target of a link stays. */
export function stripEscapes(text: string): string {
  if (!text.includes("\u001b")) return text;
  return text.replaceAll(ESCAPE, (_, target?: string) => (target === undefined || target === "" ? "" : `<${target}>`));
}

/* eslint-disable no-control-regex -- control characters are what this is about */

/** Links (OSC 8), other commands to a terminal, colours and cursor moves; a lone escape last, so that none is left to form a new one. */
const ESCAPE =
  /\u001b\]8;[^;\u0007\u001b\n]*;([^\u0007\u001b\n]*)(?:\u0007|\u001b\\)|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]+[0-~]|\u001b[0-Z\\^-~]?/g;

/** The text without what a terminal would obey instead of showing; the target of a link stays. */
export function stripEscapes(text: string): string {
  if (!text.includes("\u001b")) return text;
  return text.replaceAll(ESCAPE, (_, target?: string) => (target === undefined || target === "" ? "" : `<${target}>`));
}

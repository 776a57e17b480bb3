import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutputStream } from "./command-io.ts";
import { printable } from "./safe-text.ts";
import { openTerminal } from "./terminal.ts";

/** As much of a stream as the terminal looks at. */
function stream(isTTY: boolean, hasColors: boolean): { readonly written: string[]; readonly stream: OutputStream } {
  const written: string[] = [];
  const fake = { isTTY, columns: 72, hasColors: () => hasColors, write: (text: string) => written.push(text) };
  return { written, stream: fake as unknown as OutputStream };
}

for (const [name, isTTY, hasColors, expected] of [
  ["a terminal with colours", true, true, "\u001b[1mx\u001b[22m"],
  ["a terminal under NO_COLOR", true, false, "x"],
  ["a pipe", false, true, "x"],
] as const) {
  test(`bold text in ${name}`, () => {
    const { written, stream: target } = stream(isTTY, hasColors);
    const terminal = openTerminal(target, {});
    terminal.print(terminal.bold("x"), "y");
    assert.deepEqual(written, [`${expected}y\n`]);
  });
}

test("a terminal is as wide as it says, a pipe is never too narrow", () => {
  assert.equal(openTerminal(stream(true, true).stream, {}).columns, 72);
  assert.equal(openTerminal(stream(false, true).stream, {}).columns, Infinity);
});

test("print ends every line", () => {
  const { written, stream: target } = stream(false, false);
  const terminal = openTerminal(target, {});
  terminal.print("one");
  terminal.print();
  assert.deepEqual(written, ["one\n", "\n"]);
});

test("printable text stays on its line and cannot steer the terminal", () => {
  assert.equal(printable(" a\n\tb\u001b[31mc\u2028d\u009b "), "a b [31mc d");
});

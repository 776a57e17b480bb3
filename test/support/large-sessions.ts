/** Sessions that could make a function slow, of any size. */
import type { Message } from "../../src/index.ts";
import { assistant, res, round, serverRes, serverUse, use, user } from "./build.ts";

export const session = (...rounds: readonly (readonly Message[])[]): Message[] => [user("Go."), ...rounds.flat()];

/** Each makes something of a size: twice the size may take twice as long, and not four times. */
export const LARGE_SESSIONS: Readonly<Record<string, (size: number) => Message[]>> = {
  "one line": (size) => session(round("a", "x1".repeat(size * 50), "Bash")),
  "one line of words": (size) => session(round("a", "foo_bar1 ".repeat(size * 10), "Bash")),
  "many lines": (size) => session(round("a", Array.from({ length: size * 5 }, (_, line) => `value_${line}: ${line}`).join("\n"), "Bash")),
  "the same line": (size) => session(round("a", "again and again\n".repeat(size * 5), "Bash")),
  "blank lines": (size) => session(round("a", "\n".repeat(size * 50), "Bash")),
  "escape codes": (size) => session(round("a", "\u001b[31mred\u001b[0m ".repeat(size * 10), "Bash")),
  "what could begin a diff": (size) => session(round("a", "@@ -1 -2 @@@ - < > *************** ".repeat(size * 2), "Bash")),
  "lines that could be of a diff": (size) =>
    session(round("a", "1c1\n 2c2\n< \n+a\n***************\n@@ -1\n".repeat(size * 2), "Bash", { command: "git diff" })),
  "deep JSON": (size) => session(round("a", `${'{"a":['.repeat(size)}1${"]}".repeat(size)}`, "Bash")),
  "wide JSON": (size) => session(round("a", JSON.stringify(Array.from({ length: size * 2 }, (_, id) => ({ id, name: `name_${id}` }))), "Bash")),
  "brackets that never close": (size) => session(round("a", "[{(<".repeat(size * 20), "Bash")),
  "HTML that never closes": (size) => session(round("a", "<div><p title='a".repeat(size * 10), "Bash")),
  "indents that grow": (size) =>
    session(round("a", Array.from({ length: Math.ceil(Math.sqrt(size)) * 10 }, (_, line) => `${" ".repeat(line)}if (a_${line}) {`).join("\n"), "Bash")),
  "many small results": (size) => session(...Array.from({ length: size }, (_, n) => round(`c${n}`, `ok ${n}`, "Bash"))),
  "many results that say the same": (size) =>
    session(...Array.from({ length: size }, () => round("c", "the very same text again ".repeat(4), "Bash", { command: "ls" }))),
  "many calls of one turn": (size) =>
    session([
      { role: "assistant", content: Array.from({ length: size }, (_, n) => use(`c${n}`, "Bash")) },
      { role: "user", content: Array.from({ length: size }, (_, n) => res(`c${n}`, `ok ${n}`)) },
    ]),
  "results that answer the last call first": (size) =>
    session([
      { role: "assistant", content: Array.from({ length: size }, (_, n) => use(`c${n}`, "Bash")) },
      { role: "user", content: Array.from({ length: size }, (_, n) => res(`c${size - 1 - n}`, `ok ${n}`)) },
    ]),
  "calls that are never answered": (size) =>
    session(...Array.from({ length: size }, (_, n) => [assistant(use(`c${n}`, "Bash"), use(`open${n}`, "Bash")), user(res(`c${n}`, "ok"))])),
  "a request after every call": (size) =>
    session(...Array.from({ length: size }, (_, n) => [...round(`c${n}`, `ok ${n} ${"7 ".repeat(300)}`, "Bash"), user(`Next ${n}.`)])),
  "searches of the provider's": (size) =>
    session(
      ...Array.from({ length: size }, (_, n) => [
        assistant(serverUse(`s${n}`), serverRes(`s${n}`), use(`c${n}`, "Bash")),
        user(res(`c${n}`, "ok")),
        user(`Next ${n}.`),
      ]),
    ),
  "searches that the provider never ends": (size) => session(...Array.from({ length: size }, (_, n) => [assistant(serverUse(`s${n}`)), user(`Next ${n}.`)])),
  "a long input": (size) => session(round("a", "ok", "Bash", { content: "foo_bar1 = 2;\n".repeat(size * 5) }), round("b", "ok", "Bash")),
};

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, use, user } from "../../test/support/build.ts";
import { faults } from "../../test/support/provider-judge.ts";
import { Handles } from "../conversation/handles.ts";
import { render } from "../edits/render.ts";
import type { Edit } from "../edits/edit.ts";
import { blocksOf, isText, type Message } from "../messages/message.ts";
import { originalText } from "../stateless/original-text.ts";
import { messageTokens } from "../tokens/message-tokens.ts";
import { compact, createCompactor } from "../conversation/index.ts";

const WORDS = ["order", "total", "retry", "index", "value", "branch", "merge", "cache", "token", "queue"];
const words = (count: number, seed: number): string =>
  Array.from({ length: count }, (_, n) => `${WORDS[(seed * 7 + n * 3) % 10] ?? ""}${n % 5 === 0 ? seed : ""}`).join(" ");
const file = (seed: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `  const ${words(1, seed + line)}_${line} = compute(${(line * 7919 + seed) % 1009}, "${words(3, line)}");`).join(
    "\n",
  );
const sizeOf = (messages: readonly Message[]): number => messages.reduce((sum, message) => sum + messageTokens(message), 0);

/** One task and many long results. */
function agentLog(rounds: number): Message[] {
  const log: Message[] = [user("Fix the build of this project, please.")];
  for (let n = 0; n < rounds; n++) {
    const call = n % 3 === 0 ? use(`c${n}`, "Bash", { command: `npm test ${n}` }) : use(`c${n}`, "Read", { file_path: `/src/f${n}.ts` });
    log.push(assistant(text(`Looking at part ${n}.`), call), user(res(`c${n}`, file(n, 40 + (n % 7) * 30))));
  }
  return log;
}

/** Many small rounds, with the user's words between them. */
function smallRounds(rounds: number, said = (n: number): string => `Please do step ${n}.`): Message[] {
  const log: Message[] = [];
  for (let n = 0; n < rounds; n++) {
    log.push(user(said(n)), assistant(use(`c${n}`, "bash", { command: `./step ${n} --check` })));
    log.push(user(res(`c${n}`, `step ${n}: ${words(42, n)}`)), assistant(`Step ${n} is done: ${words(25, n + 1)}`));
  }
  return [...log, user("What is next?")];
}

/** The user's own words, as blocks. */
function saidIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === "user"
      ? blocksOf(message)
          .filter(isText)
          .map((block) => block.text)
      : [],
  );
}

function lostWords(log: readonly Message[], view: readonly Message[]): string[] {
  const shown = new Set(saidIn(view));
  return saidIn(log).filter((said) => !shown.has(said));
}

/** Every handle of an edit in force is named in the view, alone or in a range of handles, and recalls the original. */
function assertRecallable(log: readonly Message[], view: readonly Message[], edits: readonly Edit[]): void {
  const shown = JSON.stringify(view);
  const named = new Set<string>();
  for (const [, list = ""] of shown.matchAll(/\[recall handles?: ([a-z0-9 …-]+)\]/g)) {
    const [, handle, last] = /^([a-z0-9]+)-1…-(\d+)$/.exec(list) ?? [];
    if (handle === undefined) for (const name of list.split(" ")) named.add(name.replace(/-\d+$/, ""));
    else for (let n = 1; n <= Number(last); n++) named.add(handle).add(`${handle}-${n}`);
  }
  const handles = new Handles("", edits);
  for (const edit of edits) {
    assert.ok(edit.handle !== undefined && named.has(edit.handle), `${edit.pass} ${edit.handle ?? "without a handle"}`);
    assert.deepEqual(handles.named(edit.handle).edits.map((each) => originalText(log, each)), [originalText(log, edit)]); // prettier-ignore
  }
  for (const [, list = ""] of shown.matchAll(/\[recall handles?: ([a-z0-9 …-]+)\]/g)) for (const name of list.split(" ")) handles.named(name);
}

describe("a budget", () => {
  const log = agentLog(84);

  for (const budget of [100_000, 60_000, 30_000]) {
    test(`of ${budget} tokens is used: the view ends at the low watermark`, () => {
      assert.ok(sizeOf(log) > 160_000);
      const { messages, edits } = compact(log, { budget });
      const tokens = sizeOf(messages);
      assert.ok(tokens <= budget * 0.7 && tokens > budget * 0.7 * 0.8, `${tokens} tokens`);
      assert.deepEqual(faults(messages), []);
      assert.deepEqual(messages.slice(-2), log.slice(-2));
      assertRecallable(log, messages, edits);
    });
  }
  test("takes the oldest unused results first, and leaves the rest as it is", () => {
    const low = Math.floor(sizeOf(log) * 0.9);
    const { edits } = compact(log, { budget: sizeOf(log) - 1, lowTokens: low, digestTokens: 0 });
    const positions = edits.flatMap((edit) => (edit.kind === "replace-result" ? [edit.at.position] : []));
    assert.equal(positions.length, edits.length);
    assert.deepEqual(
      positions,
      positions.map((_, n) => 2 + 2 * n),
    );
    assert.ok(positions.length < 40, `${positions.length} results`);
  });
  test("digests only as many of the oldest rounds as it must", () => {
    const to = (budget: number): number => Math.max(...compact(log, { budget }).edits.map((edit) => (edit.kind === "replace-range" ? edit.to.position : 0)));
    assert.ok(to(60_000) > 0 && to(60_000) < to(30_000) && to(30_000) < log.length - 2, `${to(60_000)}, ${to(30_000)}`);
  });
  test("below what the newest turn takes: the floor is said once, and nothing is done again and again", () => {
    const compactor = createCompactor({ budget: 300, model: "claude-opus-5" });
    const decisions: string[] = [];
    let batches = 0;
    let known = 0;
    for (let length = 3; length <= 61; length += 2) {
      const { edits } = compactor.next(log.slice(0, length));
      if (edits.length > known) batches++;
      known = edits.length;
      decisions.push(compactor.explain()?.because ?? "");
    }
    assert.equal(decisions.filter((because) => because === "the floor is above the limit").length, 1);
    assert.ok(batches <= 30);
  });
});

describe("a budget on many small rounds", () => {
  test("is kept: the assistant's and the tools' words go, the user's stay", () => {
    const log = smallRounds(5_000);
    assert.ok(sizeOf(log) > 550_000);
    const { messages, edits } = compact(log, { budget: 100_000 });
    const tokens = sizeOf(messages);
    assert.ok(tokens <= 70_000 && tokens > 60_000, `${tokens} tokens`);
    assert.deepEqual(lostWords(log, messages), []);
    assert.deepEqual(faults(messages), []);
    assert.deepEqual(messages.slice(-20), log.slice(-20));
    assertRecallable(log, messages, edits);
    assert.deepEqual(
      render(
        log,
        edits.map((edit) => ({ ...edit, undoneAt: edit.madeAt })),
      ),
      log,
    );
  });
  test("says in the view what is not shown, how much, and how to get it back", () => {
    const { messages, edits } = compact(smallRounds(200), { budget: 10_000 });
    const note = saidIn(messages).find((said) => said.includes("recall handles")) ?? "";
    assert.match(
      note,
      /^\[Not shown, here and at \d+ later places: \d+ messages of the assistant and its tools, \d+ tokens\. One handle per place, in order:\] \[recall handles: [a-z0-9]+-1…-\d+\]$/,
    );
    assert.equal(edits[0]?.pass, "drop-rounds");
  });
  test("call by call, in few batches", () => {
    const log = smallRounds(600);
    const compactor = createCompactor({ budget: 20_000, model: "claude-opus-5" });
    let batches = 0;
    let known = 0;
    for (let length = 1; length <= log.length; length += 4) {
      const { messages, edits } = compactor.next(log.slice(0, length));
      if (edits.length > known) batches++;
      known = edits.length;
      assert.ok(sizeOf(messages) <= 20_000, `${sizeOf(messages)} tokens`);
      assert.deepEqual(lostWords(log.slice(0, length), messages), []);
    }
    assert.ok(batches > 5 && batches < 20, `${batches} batches`);
  });
  test("where the user's words alone are more: the floor is said once, with who holds the space", () => {
    const log = smallRounds(300, (n) => `Please do step ${n}: ${words(60, n)}`);
    const compactor = createCompactor({ budget: 10_000, model: "claude-opus-5" });
    let batches = 0;
    let known = 0;
    const floors: string[] = [];
    for (let length = 1; length <= log.length; length += 4) {
      const { messages, edits } = compactor.next(log.slice(0, length));
      if (edits.length > known) batches++;
      known = edits.length;
      assert.deepEqual(lostWords(log.slice(0, length), messages), []);
      const { because, words: told, held } = compactor.explain() ?? assert.fail();
      if (because !== "the floor is above the limit") continue;
      floors.push(told);
      assert.ok((held?.user ?? 0) > 5_000 && (held?.results ?? Infinity) < 1_000, told);
    }
    assert.equal(floors.length, 1);
    assert.ok(batches < 60, `${batches} batches`);
  });
  test("is kept where system messages stand between, after which something of the assistant's has to stand", () => {
    const log: Message[] = [user("Begin.")];
    for (let n = 0; n < 60; n++) {
      if (n % 2 === 0) log.push({ role: "system", content: `note ${n}` });
      log.push(assistant(`Noted: ${words(3, n)}`), user(`Step ${n}, please.`));
    }
    for (const budget of [500, 600, 700, 800]) {
      const compactor = createCompactor({ budget });
      let isFloor = false;
      for (let length = 1; length <= log.length; length++) {
        if (log[length - 1]?.role !== "user") continue;
        const { messages } = compactor.next(log.slice(0, length));
        isFloor ||= compactor.explain()?.because === "the floor is above the limit";
        assert.ok(isFloor || sizeOf(messages) <= budget, `${sizeOf(messages)} tokens of ${budget}, ${compactor.explain()?.words ?? ""}`);
      }
    }
  });
  test("plain talk is shortened too", () => {
    const log = Array.from({ length: 400 }, (_, n) => [user(`Why ${n}?`), assistant(words(60, n))]).flat();
    log.push(user("And?"));
    const { messages } = compact(log, { budget: 12_000 });
    assert.ok(sizeOf(messages) <= 8_400 && sizeOf(messages) > 7_000, `${sizeOf(messages)} tokens`);
    assert.deepEqual(lostWords(log, messages), []);
  });
});

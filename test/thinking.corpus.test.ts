/**
 * Hidden thinking against what the provider counted. A call's recorded output is its thinking, its text and its calls; the next call's input
 * grows by the same. Sessions are no part of this repository: see `support/corpus.ts`.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { inputTokensOf, type Block } from "../src/index.ts";
import { contentTokens } from "../src/tokens/message-tokens.ts";
import { CORPUS, HOW_TO_GET_IT } from "./support/corpus.ts";

/**
 * What a model counts for a token of ours, and for every call beside its input: fitted to the outputs of all calls of these sessions, with the
 * length of their signatures as one more unknown. So this test is no independent proof of the slope; the 240 characters come from elsewhere,
 * from thinking that was shown in full (`message-tokens.test.ts`).
 */
const MODELS: Readonly<Record<string, { readonly factor: number; readonly perCall: number }>> = {
  "claude-opus-4-6": { factor: 1.05, perCall: 44 },
  "claude-opus-4-8": { factor: 1.5, perCall: 58 },
};

/** A session of fewer thoughts is within what the model's own count of texts and calls varies by. */
const LEAST_THOUGHTS = 4;

interface Usage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly output_tokens: number;
}

interface Answer {
  readonly model: string;
  readonly blocks: Block[];
  usage: Usage;
}

const sessions = globSync(`${CORPUS}/{open,more}/claude-code/*.jsonl`)
  .sort()
  .map((file) => ({ file: basename(file), all: answersOf(file) }))
  .map((session) => ({ ...session, answers: session.all.filter((answer) => answer.model in MODELS && hidesThinking(answer)) }))
  .filter(({ answers }) => answers.length > 0);

if (sessions.length === 0) {
  test("the corpus is not there: no hidden thinking was compared with recorded usage", (t) => {
    t.diagnostic(`No session with hidden thinking in ${CORPUS}. ${HOW_TO_GET_IT}`);
  });
} else {
  describe("hidden thinking is within 25 % of what the provider counted", () => {
    for (const { file, answers } of sessions.filter((session) => session.answers.length >= LEAST_THOUGHTS)) {
      test(file, (t) => {
        const recorded = answers.reduce((sum, answer) => sum + recordedThinking(answer), 0);
        const estimated = answers.reduce((sum, answer) => sum + estimatedThinking(answer), 0);
        t.diagnostic(`${answers.length} thoughts: ${Math.round(recorded)} tokens recorded, ${Math.round(estimated)} estimated`);
        assert.ok(Math.abs(estimated / recorded - 1) <= 0.25, `${estimated} of ${recorded}`);
      });
    }
    test("all of them together, within 10 %", (t) => {
      const all = sessions.flatMap(({ answers }) => answers);
      const ratio = all.reduce((sum, answer) => sum + estimatedThinking(answer), 0) / all.reduce((sum, answer) => sum + recordedThinking(answer), 0);
      t.diagnostic(`${ratio.toFixed(3)} of the recorded tokens, in ${all.length} thoughts`);
      assert.ok(Math.abs(ratio - 1) <= 0.1, `${ratio}`);
    });
  });

  test("the provider counts hidden thinking: the next call's input has grown by all of the answer", () => {
    for (const { all } of sessions) {
      for (const [index, answer] of all.entries()) {
        const next = all[index + 1];
        if (next?.model !== answer.model || !hidesThinking(answer)) continue;
        assert.ok(inputTokensOf(next.usage) - inputTokensOf(answer.usage) >= answer.usage.output_tokens);
      }
    }
  });
}

function estimatedThinking({ model, blocks }: Answer): number {
  return (MODELS[model]?.factor ?? 1) * contentTokens(blocks.filter(isThinking));
}

function recordedThinking({ model, blocks, usage }: Answer): number {
  const { factor, perCall } = MODELS[model] ?? { factor: 1, perCall: 0 };
  const shown = blocks.filter((block) => !isThinking(block));
  return usage.output_tokens - factor * contentTokens(shown) - perCall * shown.filter(({ type }) => type === "tool_use").length;
}

function hidesThinking({ blocks }: Answer): boolean {
  return blocks.some((block) => isThinking(block) && (block as Block & { thinking?: unknown }).thinking === "");
}

function isThinking({ type }: Block): boolean {
  return type === "thinking";
}

/** Claude Code writes a line for every block of an answer, all with the answer's id. */
function answersOf(file: string): Answer[] {
  const answers = new Map<string, Answer>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (!line.includes('"assistant"')) continue;
    const { type, message } = JSON.parse(line) as { type: string; message?: { id: string; model: string; content: Block[]; usage: Usage } };
    if (type !== "assistant" || message === undefined) continue;
    const answer = answers.get(message.id) ?? { model: message.model, blocks: [], usage: message.usage };
    answer.blocks.push(...message.content);
    answer.usage = message.usage;
    answers.set(message.id, answer);
  }
  return [...answers.values()];
}

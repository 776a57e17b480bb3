/** An option that is wrong is named as the caller has written it, wherever a policy is taken. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, test } from "node:test";
import { createThread, openThread } from "../src/agent/index.ts";
import { palimpsestMiddleware, palimpsestPrepareStep } from "../src/agent/clients/ai-sdk.ts";
import { wrapAnthropic } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { openaiChat } from "../src/formats/index.ts";
import { openCompactor } from "../src/history/index.ts";
import { collapseToolChains, compactThread, PalimpsestError } from "../src/index.ts";
import { compact, createCompactor, plan, policyFor } from "../src/conversation/index.ts";
import { user } from "./support/build.ts";
import { runCli } from "./support/run-cli.ts";

const messages = [user("q")];
const key = { apiKey: "none" };

/** Whoever takes the options of a policy as its own. */
const POLICY_OPTIONS: Readonly<Record<string, (options: never) => unknown>> = {
  compact: (options) => compact(messages, options),
  plan: (options) => plan(messages, options),
  createCompactor: (options) => createCompactor(options),
  "policyFor().compact": (options) => policyFor(openaiChat).compact([], options),
  openCompactor: (options: object) => openCompactor({ store: "memory", thread: "t", ...options }),
};

/** Whoever takes a policy among others: a preset's name, or its options. */
const POLICY: Readonly<Record<string, (options: never) => unknown>> = {
  createThread: (options) => createThread(options),
  openThread: (options: object) => openThread({ store: "memory", ...options }),
  wrapAnthropic: (options) => wrapAnthropic(new Anthropic(key), options),
  wrapOpenAI: (options) => wrapOpenAI(new OpenAI(key), options),
  palimpsestMiddleware: (options) => palimpsestMiddleware(options),
  palimpsestPrepareStep: (options) => palimpsestPrepareStep(options),
};

async function refusal(attempt: () => unknown): Promise<PalimpsestError> {
  try {
    await attempt();
  } catch (error) {
    assert.ok(error instanceof PalimpsestError, String(error));
    assert.equal(error.code, "INVALID_OPTION");
    return error;
  }
  assert.fail("it was taken");
}

const ROWS: readonly (readonly [wrong: object, inside: string])[] = [
  [{ preset: "agressive" }, ".preset"],
  [{ budgets: 1 }, ".budgets"],
  [{ target: { thinking: "maybe" } }, ".target.thinking"],
  [{ tools: { grep: { keep: "all" } } }, ".tools.grep.keep"],
  [{ highTokens: 1, lowTokens: 2 }, ".lowTokens"],
];

describe("the path of a wrong policy is the caller's own", () => {
  for (const [wrong, inside] of ROWS) {
    for (const [name, give] of Object.entries(POLICY_OPTIONS))
      test(`${name}: options${inside}`, async () => assert.equal((await refusal(() => give(wrong as never))).data["path"], `options${inside}`));
    for (const [name, give] of Object.entries(POLICY))
      test(`${name}: options.policy${inside}`, async () =>
        assert.equal((await refusal(() => give({ policy: wrong } as never))).data["path"], `options.policy${inside}`));
  }
  for (const [name, give] of Object.entries(POLICY)) {
    test(`${name}: a preset that is none`, async () =>
      assert.equal((await refusal(() => give({ policy: "agressive" } as never))).data["path"], "options.policy"));
    test(`${name}: options.target`, async () =>
      assert.equal((await refusal(() => give({ target: { thinking: "maybe" } } as never))).data["path"], "options.target.thinking"));
    test(`${name}: options.prune`, async () =>
      assert.equal((await refusal(() => give({ prune: { strategy: "all" } } as never))).data["path"], "options.prune.strategy"));
  }
  test("compactThread: options.target", async () => {
    const { data } = await refusal(() => compactThread(messages, [{ summary: "S." }], { target: { thinking: "maybe" } as never }));
    assert.equal(data["path"], "options.target.thinking");
  });
});

describe("a name that is nearly right is suggested", () => {
  const MISTYPED: readonly (readonly [what: string, attempt: () => unknown, question: RegExp])[] = [
    ["a preset", () => createThread({ policy: "balenced" as never }), /found "balenced"\. Did you mean "balanced"\?$/],
    ["its capitals", () => compact(messages, { preset: "Tight" as never }), /found "Tight"\. Did you mean "tight"\?$/],
    ["an option", () => collapseToolChains(messages, { collapseAfterTurn: 3 } as never), /Did you mean "collapseAfterTurns"\?$/],
    ["nothing that is near", () => createThread({ policy: "agressive" as never }), /found "agressive"$/],
    ["nothing at all", () => createThread({ policy: "" as never }), /found ""$/],
  ];
  for (const [what, attempt, question] of MISTYPED) test(what, async () => assert.match((await refusal(attempt)).message, question));

  test("on the command line", async () => {
    const { code, err } = await runCli(["replay", "-", "--policy", "colapse:10"]);
    assert.match(err, /^palimpsest: policy: expected one of none, .*, found "colapse:10"\. Did you mean "collapse:10"\? \(INVALID_OPTION\)\.\n$/);
    assert.equal(code, 2);
  });
});

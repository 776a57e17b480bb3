/** Whichever command counts a file, it says the same tokens and the same messages. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runCli } from "./support/run-cli.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures/transcripts/", import.meta.url));
const FILES = readdirSync(FIXTURES).filter((name) => name !== "expected.json");

const directory = mkdtempSync(join(tmpdir(), "palimpsest-one-count-"));
after(() => rmSync(directory, { recursive: true }));

type Counts = readonly (readonly [tokens: number | undefined, messages: number | undefined])[];

/** The fields of `--json` that are looked at here. */
interface Data {
  readonly model?: string;
  readonly guess?: string;
  readonly tokens?: number;
  readonly messages?: number;
  readonly tokensBefore?: number;
  readonly messagesBefore?: number;
  readonly tokensAfter?: number;
  readonly messagesAfter?: number;
}

async function json(...args: readonly string[]): Promise<{ readonly trajectories: readonly Data[]; readonly threads: readonly Data[] }> {
  const { code, out, err } = await runCli([...args, "--json"], { cwd: directory });
  // What `check` finds is not what is looked at here.
  assert.ok(code === 0 || args[0] === "check", err);
  return JSON.parse(out) as { readonly trajectories: readonly Data[]; readonly threads: readonly Data[] };
}

const counts = (list: readonly Data[]): Counts => list.map(({ tokens, messages }) => [tokens, messages]);
const NOTHING_CHANGES = ["--max-result-tokens", "1000000000"];
const SHORTER = ["--max-result-tokens", "30", "--collapse-after", "6"];

describe("one way to count", { concurrency: 2 }, () => {
  for (const name of FILES) {
    const path = join(FIXTURES, name);
    test(`inspect, compact, import and check agree about ${name}`, async () => {
      const inspected = counts((await json("inspect", path)).trajectories);
      assert.ok(inspected.every(([tokens = 0, messages = 0]) => tokens > 0 && messages > 0));
      const { trajectories } = await json("compact", path, ...NOTHING_CHANGES, "-o", `same-${name}`);
      assert.deepEqual(trajectories.map((each) => [each.tokensBefore, each.messagesBefore]), inspected); // prettier-ignore
      assert.deepEqual(trajectories.map((each) => [each.tokensAfter, each.messagesAfter]), inspected); // prettier-ignore
      assert.deepEqual(counts((await json("import", path, "--store", `sqlite:${name}.db`)).threads), inspected);
      assert.deepEqual((await json("check", path)).trajectories.map(({ messages }) => messages), inspected.map(([, messages]) => messages)); // prettier-ignore
    });

    test(`what compact says of its result is what inspect says of it: ${name}`, async () => {
      const output = `shorter-${name}`;
      const { trajectories } = await json("compact", path, ...SHORTER, "-o", output);
      assert.deepEqual(trajectories.map((each) => [each.tokensAfter, each.messagesAfter]), counts((await json("inspect", output)).trajectories)); // prettier-ignore
    });
  }

  test("the tokens of another model, where one is asked for", async () => {
    const path = join(FIXTURES, "openai-chat.json");
    const [first, other] = [(await json("inspect", path)).trajectories[0], (await json("inspect", path, "--model", "claude-opus-5")).trajectories[0]];
    const compacted = (await json("compact", path, ...NOTHING_CHANGES, "--model", "claude-opus-5", "-o", "other.json")).trajectories[0];
    assert.ok((other?.tokens ?? 0) > (first?.tokens ?? 0) * 1.2);
    assert.equal(compacted?.tokensBefore, other?.tokens);
  });

  test("system prompt and tools count, and the first response may be of no model", async () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const line = (type: string, uuid: string, parentUuid: string | null, message: object): string =>
      JSON.stringify({ type, uuid, parentUuid, sessionId: "s", timestamp: "2026-01-01T00:00:00Z", message: { role: type, ...message } });
    const lines = [
      line("user", "a", null, { content: "words ".repeat(200) }),
      line("assistant", "b", "a", { id: "m1", model: "<synthetic>", content: [{ type: "text", text: "No response." }], usage }),
      line("user", "c", "b", { content: "And now?" }),
      line("assistant", "d", "c", { id: "m2", model: "claude-opus-5", content: [{ type: "text", text: "Now it is." }], usage }),
    ];
    writeFileSync(join(directory, "late.jsonl"), lines.join("\n"));
    const [inspected] = (await json("inspect", "late.jsonl")).trajectories;
    const [compacted] = (await json("compact", "late.jsonl", ...NOTHING_CHANGES, "-o", "late-same.jsonl")).trajectories;
    const [imported] = (await json("import", "late.jsonl", "--store", "sqlite:late.db")).threads;
    assert.deepEqual([inspected?.model, inspected?.guess], ["claude-opus-5", undefined]);
    assert.deepEqual([compacted?.tokensBefore, imported?.tokens], [inspected?.tokens, inspected?.tokens]);
    const body = { model: "claude-opus-5", system: "Be brief. ".repeat(100), tools: [{ name: "say", description: "says ".repeat(100) }], messages: [{ role: "user", content: "Hi." }] }; // prettier-ignore
    writeFileSync(join(directory, "body.json"), JSON.stringify(body));
    const [whole] = (await json("inspect", "body.json")).trajectories;
    assert.ok((whole?.tokens ?? 0) > 300);
    assert.equal((await json("import", "body.json", "--store", "sqlite:body.db")).threads[0]?.tokens, whole?.tokens);
  });
});

describe("a price that is a guess is said to be one", () => {
  const unnamed = join(FIXTURES, "tau-bench.json");

  test("inspect, where the file names no model", async () => {
    const { trajectories } = await json("inspect", unnamed);
    for (const { model, guess } of trajectories) {
      assert.equal(model, "claude-sonnet-5");
      assert.match(guess ?? "", /^The file names no model: the prices are a guess, those of claude-sonnet-5\./);
    }
    const { out } = await runCli(["inspect", unnamed]);
    assert.match(out, /The file names no model: the prices are a guess, those of claude-sonnet-5\. --model names another\./);
    const named = await runCli(["inspect", unnamed, "--model", "gpt-4o"]);
    assert.ok(!named.out.includes("guess"));
  });

  test("inspect, where the model is not in the table", async () => {
    const [first] = (await json("inspect", unnamed, "--model", "claude-sonnet-99")).trajectories;
    assert.match(first?.guess ?? "", /"claude-sonnet-99" is not in the price table. Assuming that it costs and behaves like claude-/);
    const { out, err } = await runCli(["inspect", unnamed, "--model", "wholly-new-model"]);
    assert.match(out, /The model "wholly-new-model" is not known. Assuming prices of 1/);
    assert.equal(err, "");
  });

  test("replay", async () => {
    const { code, out } = await runCli(["replay", unnamed, "--policy", "none"]);
    assert.equal(code, 0);
    assert.match(out, /\nThe file names no model: the prices are a guess, those of claude-sonnet-5\. --model names another\.\n/);
    const { out: text } = await runCli(["replay", unnamed, "--policy", "none", "--json"]);
    const { files } = JSON.parse(text) as { readonly files: readonly { readonly trajectories: readonly { readonly guesses: readonly string[] }[] }[] };
    for (const { guesses } of files[0]?.trajectories ?? []) assert.match(guesses.join(), /^The file names no model: the prices are a guess/);
  });
});

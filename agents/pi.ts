import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolName } from "../src/testing/index.ts";
import type { Agent } from "./driver/agent.ts";

/** Has no sub-agents. Its models are made up: what it sends does not depend on their names. */
export const pi: readonly Agent[] = [
  piWith("pi-messages", "anthropic", "anthropic-messages", ""),
  piWith("pi-chat", "openai-chat", "openai-completions", "/v1"),
  piWith("pi-responses", "openai-responses", "openai-responses", "/v1"),
];

const WINDOW_TOKENS = 1_000_000;

function piWith(name: string, protocol: ProtocolName, api: string, path: string): Agent {
  return {
    name,
    protocol,
    program: ".bin/pi",
    setUp({ home }, baseUrl, { compactsAt }) {
      const folder = join(home, ".pi");
      mkdirSync(folder, { recursive: true });
      // Where it compacts in the middle of a tool loop, it keeps some of the loop's thinking. A provider that looks at it refuses that, without us too.
      const reasoning = compactsAt === undefined || protocol !== "anthropic";
      const model = { id: "claude-opus-5", reasoning, contextWindow: WINDOW_TOKENS, maxTokens: 8_000, input: ["text"] };
      writeFileSync(
        join(folder, "models.json"),
        JSON.stringify({ providers: { local: { baseUrl: `${baseUrl}${path}`, api, apiKey: "KEY", models: [model] } } }),
      );
      // It compacts when what is left of the window is less than this.
      const compaction = compactsAt === undefined ? { enabled: false } : { enabled: true, reserveTokens: WINDOW_TOKENS - compactsAt, keepRecentTokens: 2_000 };
      writeFileSync(join(folder, "settings.json"), JSON.stringify({ compaction }));
    },
    command: ({ home }, _, { prompt, continues }) => ({
      args: ["-p", "--mode", "json", "--provider", "local", "--model", "claude-opus-5", ...(continues ? ["--continue"] : []), prompt],
      env: { PI_CODING_AGENT_DIR: join(home, ".pi"), PI_OFFLINE: "1", KEY: "none" },
    }),
    read: (file) => () => ({ name: "read", input: { path: file } }),
    run: (command) => () => ({ name: "bash", input: { command } }),
    edit:
      ({ file, from, to }) =>
      () => ({ name: "edit", input: { path: file, edits: [{ oldText: from, newText: to }] } }),
    delegate: undefined,
    readsFiles: true,
    compaction: { by: "limit", tokens: 30_000 },
    settled: (result) => result,
  };
}

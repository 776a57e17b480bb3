import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolName } from "../src/testing/index.ts";
import type { Agent } from "./driver/agent.ts";

/** Through the AI SDK's providers, one for each API. It asks for a title first, without tools. */
export const opencode: readonly Agent[] = [
  opencodeWith("opencode-messages", "anthropic", "@ai-sdk/anthropic"),
  opencodeWith("opencode-chat", "openai-chat", "@ai-sdk/openai-compatible"),
  opencodeWith("opencode-responses", "openai-responses", "@ai-sdk/openai"),
];

const WINDOW_TOKENS = 1_000_000;
const OUTPUT_TOKENS = 8_000;

function opencodeWith(name: string, protocol: ProtocolName, npm: string): Agent {
  return {
    name,
    protocol,
    // The package that chooses one for the platform has no complete lockfile: not all of its platforms can be had everywhere.
    program: "opencode-linux-x64/bin/opencode",
    setUp({ home }, baseUrl, { compactsAt }) {
      const context = compactsAt === undefined ? WINDOW_TOKENS : compactsAt + OUTPUT_TOKENS;
      const model = { name: "Local", tool_call: true, reasoning: true, limit: { context, output: OUTPUT_TOKENS } };
      const config = {
        model: "local/claude-opus-5",
        small_model: "local/claude-opus-5",
        permission: "allow",
        share: "disabled",
        provider: { local: { npm, options: { baseURL: `${baseUrl}/v1`, apiKey: "none" }, models: { "claude-opus-5": model } } },
      };
      writeFileSync(join(home, "opencode.json"), JSON.stringify(config));
    },
    command: ({ home }, _, { prompt, continues }) => ({
      args: ["run", "--format", "json", ...(continues ? ["--continue"] : []), prompt],
      env: {
        OPENCODE_CONFIG: join(home, "opencode.json"),
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
    }),
    // Its tools want whole paths.
    read:
      (file) =>
      (_, { work }) => ({ name: "read", input: { filePath: join(work, file) } }),
    run: (command) => () => ({ name: "bash", input: { command } }),
    edit:
      ({ file, from, to }) =>
      (_, { work }) => ({ name: "edit", input: { filePath: join(work, file), oldString: from, newString: to } }),
    delegate: (prompt) => [() => ({ name: "task", input: { description: "Go through parts", prompt, subagent_type: "general" } })],
    readsFiles: true,
    compaction: { by: "limit", tokens: 40_000 },
    settled: (result) => result.replaceAll(/\bses_\w+/g, "…"),
  };
}

import { join } from "node:path";
import type { Agent } from "./driver/agent.ts";

/** Messages, streamed; sub-agents in the foreground; `/compact` as a prompt. */
export const claudeCode: Agent = {
  name: "claude-code",
  protocol: "anthropic",
  program: ".bin/claude",
  setUp: () => undefined,
  command: ({ home }, baseUrl, { prompt, continues }) => ({
    args: ["-p", prompt, "--dangerously-skip-permissions", "--output-format", "json", ...(continues ? ["--continue"] : [])],
    env: {
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: "sk-ant-none",
      IS_SANDBOX: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  }),
  // Its tools want whole paths.
  read:
    (file) =>
    (_, { work }) => ({ name: "Read", input: { file_path: join(work, file) } }),
  run: (command) => () => ({ name: "Bash", input: { command, description: "Runs a check" } }),
  edit:
    ({ file, from, to }) =>
    (_, { work }) => ({ name: "Edit", input: { file_path: join(work, file), old_string: from, new_string: to } }),
  delegate: (prompt) => [
    () => ({ name: "Agent", input: { description: "Go through parts", prompt, subagent_type: "general-purpose", run_in_background: false } }),
  ],
  readsFiles: true,
  compaction: { by: "prompt", prompt: "/compact" },
  settled: (result) => result.replaceAll(/\ba[0-9a-f]{16}\b|duration_ms: \d+|total_tokens: \d+|subagent_tokens: \d+|[0-9a-f]{8}-[0-9a-f-]{27}/g, "…"),
};

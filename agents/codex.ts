import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenRequest } from "../src/testing/index.ts";
import type { Agent, CallMaker } from "./driver/agent.ts";

/** Newer models get one tool that runs JavaScript, and all their tools in an item of the input; older ones get functions. */
export const codex: Agent = codexWith({
  name: "codex",
  model: "gpt-5.6-sol",
  run: (command) => () => ({
    name: "exec",
    namespace: "functions",
    input: `text((await tools.exec_command({ cmd: ${JSON.stringify(command)}, max_output_tokens: 20000 })).output);`,
  }),
  edit:
    ({ file, from, to }) =>
    () => ({ name: "exec", namespace: "functions", input: `text(await tools.apply_patch(${JSON.stringify(patchOf(file, from, to))}));` }),
  delegate: (prompt) => [
    () => ({ name: "spawn_agent", namespace: "collaboration", input: { task_name: "helper", message: prompt, fork_turns: "none" } }),
    () => ({ name: "wait_agent", namespace: "collaboration", input: { timeout_ms: 60_000 } }),
  ],
});

export const codexFunctions: Agent = codexWith({
  name: "codex-functions",
  model: "gpt-5.2-codex",
  run: exec,
  edit: ({ file, from, to }) => exec(`apply_patch <<'EOF'\n${patchOf(file, from, to)}\nEOF`),
  delegate: (prompt) => [
    () => ({ name: "spawn_agent", namespace: "multi_agent_v1", input: { message: prompt } }),
    (request) => ({ name: "wait_agent", namespace: "multi_agent_v1", input: { targets: [spawnedId(request)], timeout_ms: 60_000 } }),
  ],
});

interface Variant extends Pick<Agent, "name" | "run" | "edit" | "delegate"> {
  readonly model: string;
}

function codexWith({ model, ...variant }: Variant): Agent {
  return {
    ...variant,
    protocol: "openai-responses",
    program: ".bin/codex",
    setUp({ home }, baseUrl, { compactsAt }) {
      mkdirSync(join(home, ".codex"), { recursive: true });
      writeFileSync(join(home, ".codex", "config.toml"), configText(model, baseUrl, compactsAt));
    },
    command: ({ home }, _, { prompt, continues }) => ({
      args: ["exec", ...(continues ? ["resume", "--last"] : []), ...["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"], prompt],
      env: { CODEX_HOME: join(home, ".codex"), OPENAI_API_KEY: "none" },
    }),
    read: (file) => variant.run(`cat ${file}`),
    readsFiles: false,
    compaction: { by: "limit", tokens: 30_000 },
    settled: (result) => result.replaceAll(/"nickname": ?"\w+"|Wall time:? [\d.]+ seconds|Chunk ID: \w+|[0-9a-f]{8}-[0-9a-f-]{27}/g, "…"),
  };
}

function configText(model: string, baseUrl: string, compactsAt: number | undefined): string {
  return `model = "${model}"
model_provider = "local"
model_context_window = 900000
model_auto_compact_token_limit = ${compactsAt ?? 890_000}

[model_providers.local]
name = "local"
base_url = "${baseUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
stream_max_retries = 5
request_max_retries = 5

[analytics]
enabled = false
`;
}

function exec(command: string): CallMaker {
  return () => ({ name: "exec_command", input: { cmd: command, max_output_tokens: 20_000 } });
}

function patchOf(file: string, from: string, to: string): string {
  return `*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch`;
}

/** What `spawn_agent` returned. */
function spawnedId({ messages }: SeenRequest): string {
  const texts = messages.flatMap(({ results }) => results.map(({ text }) => text));
  return texts.map((text) => /"agent_id":\s*"([^"]+)"/.exec(text)?.[1]).find((id) => id !== undefined) ?? "";
}

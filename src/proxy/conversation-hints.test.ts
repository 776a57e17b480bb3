import assert from "node:assert/strict";
import { it } from "node:test";
import { clientOf, hintsOf } from "./conversation-hints.ts";

/** As the agents send them. */
const USER_AGENTS: Readonly<Record<string, readonly [agent: string, version?: string]>> = {
  "claude-cli/2.1.50 (external, sdk-cli)": ["Claude Code", "2.1.50"],
  "codex_exec/0.63.0 (Debian 12.0.0; x86_64) dumb": ["Codex", "0.63.0"],
  "QwenCode/0.24.4 (linux; x64)": ["Qwen Code", "0.24.4"],
  "Kilo-Code/7.7.9 ai-sdk/provider-utils/4.0.27 runtime/bun/1.3.14": ["Kilo", "7.7.9"],
  "kimi-code-cli/2.1.0": ["Kimi Code", "2.1.0"],
  "Agents/JavaScript 0.20.0": ["OpenAI Agents SDK", "0.20.0"],
  "langchainjs-openai/1.0.0 ((node/v24.21.0; linux; x64))": ["LangChain", "1.0.0"],
  "ai-sdk-anthropic/4.0.105 ai-sdk-provider-utils/5.0.81 node.js/24": ["AI SDK", "4.0.105"],
  "ai-sdk/openai-compatible/3.0.37 ai-sdk/provider-utils/5.0.30": ["AI SDK", "3.0.37"],
  "ai/7.0.173 ai-sdk-openai/4.0.118": ["AI SDK", "7.0.173"],
  "Anthropic/JS 0.94.0": ["Anthropic SDK", "0.94.0"],
  "OpenAI/JS 5.23.2": ["OpenAI SDK", "5.23.2"],
  "node-fetch": ["node-fetch"],
};

for (const [userAgent, [agent, version]] of Object.entries(USER_AGENTS))
  it(`names a client that says "${userAgent}"`, () => {
    const headers = { "user-agent": userAgent };
    assert.deepEqual(clientOf(headers, hintsOf(headers, {})), version === undefined ? { agent } : { agent, version });
  });

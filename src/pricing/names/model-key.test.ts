import assert from "node:assert/strict";
import { test } from "node:test";
import { modelKey, WRAPPINGS } from "./model-key.ts";

for (const { sample } of WRAPPINGS) test(sample, () => assert.equal(modelKey(sample), "claude-opus-4-5"));

const ROWS: Readonly<Record<string, string>> = {
  " Claude-Opus-4.5 ": "claude-opus-4-5",
  "bedrock/us.anthropic.claude-opus-4-5-20251101-v1:0": "claude-opus-4-5",
  "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-opus-4-5-20251101-v1:0": "claude-opus-4-5",
  "anthropic.claude-opus-4-6-v1": "claude-opus-4-6",
  "vertex_ai/claude-sonnet-4-5@20250929": "claude-sonnet-4-5",
  "gpt-5-2025-08-07": "gpt-5",
  "azure/gpt-5.1": "gpt-5-1",
  "models/gemini-2.5-pro-preview-05-06": "gemini-2-5-pro",
  "gemini-3.1-pro-preview": "gemini-3-1-pro",
  "deepseek-v3": "deepseek-v3",
  "deepseek-v3-2-251201": "deepseek-v3-2",
};
for (const [name, key] of Object.entries(ROWS)) test(name, () => assert.equal(modelKey(name), key));

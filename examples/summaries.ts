/** Summaries, by a model or without one. */
import assert from "node:assert/strict";
import { startProviderDouble } from "palimpsest/testing";
// #region summaries
import Anthropic from "@anthropic-ai/sdk";
import { anthropic, extractive, TOOL_SUMMARIZE_SYSTEM } from "palimpsest/summarize";

// #endregion
// A provider on this machine that plays a model; leave out the options of `Anthropic` for the real one.
const provider = await startProviderDouble({ script: [{ text: "src/part-0.py, src/part-1.py and src/part-2.py." }] });
const client = new Anthropic({ apiKey: "none", baseURL: provider.url });
const output = Array.from({ length: 200 }, (_, line) => `src/part-${line % 3}.py:${line}: DATABASE_URL`).join("\n");
// #region summaries
const request = { text: output, system: TOOL_SUMMARIZE_SYSTEM, instructions: "matching filenames only", targetTokens: 100 };

const byModel = await anthropic({ client, model: "claude-haiku-4-5" })(request); // or openaiCompatible({ client, model })
const byLines = await extractive()(request); // no model: the most telling lines of the text
// #endregion
console.log(byModel, byLines);
assert.match(byModel, /src\/part-2\.py/);
assert.match(byLines, /src\/part-2\.py/);
await provider.close();

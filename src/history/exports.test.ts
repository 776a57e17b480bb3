import assert from "node:assert/strict";
import { test } from "node:test";
import * as history from "./index.ts";

test("exports", () => assert.deepEqual(Object.keys(history).sort(), ["TOOL_SUMMARIZE_SYSTEM", "openCompactor", "openHistory", "openStore", "summaryMemo"]));

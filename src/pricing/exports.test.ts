import assert from "node:assert/strict";
import { test } from "node:test";
import * as pricing from "./index.ts";

test("exports", () => assert.deepEqual(Object.keys(pricing).sort(), ["costOf", "createBiller", "modelInfo", "targetFor"]));

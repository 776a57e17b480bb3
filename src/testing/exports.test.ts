import assert from "node:assert/strict";
import { it } from "node:test";
import * as testing from "./index.ts";

it("exports these names", () => {
  assert.deepEqual(Object.keys(testing).sort(), ["playTrajectory", "reader", "readerKey", "readerPage", "startProviderDouble"]);
});

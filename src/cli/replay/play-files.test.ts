import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { collect } from "../../../test/support/run-cli.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { createContext } from "../command-context.ts";
import { playFiles } from "./play-files.ts";

const SESSION = fileURLToPath(new URL("../../../assets/trajectory.json", import.meta.url));

test("what a policy refuses names the file that it was playing", async () => {
  const io = { stdin: Readable.from([]), stdout: collect().stream, stderr: collect().stream, env: {}, cwd: process.cwd() };
  const next = (): never => {
    throw new PalimpsestError("PIN_TOO_LARGE", "Too large.");
  };
  const options = { policy: { name: "refuses", start: () => ({ next }) }, format: undefined, model: undefined, trajectory: undefined, writesViews: false };
  const lines = playFiles(
    createContext(io, () => undefined),
    [SESSION],
    options,
    [],
  );
  await assert.rejects(lines.next(), { name: "PalimpsestError", code: "PIN_TOO_LARGE", message: `${SESSION}: Too large.` });
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { checkAsyncProperty, checkProperty, deepFreeze, sameBytes } from "./check-property.ts";
import { cases, kills, seed } from "./run-settings.ts";

const saved = { cases: process.env["PALIMPSEST_CASES"], seed: process.env["PALIMPSEST_SEED"] };

afterEach(() => {
  restore("PALIMPSEST_CASES", saved.cases);
  restore("PALIMPSEST_SEED", saved.seed);
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}

test("100 cases, a seed of the commit and a tenth as many kills unless the environment says otherwise", () => {
  restore("PALIMPSEST_CASES", undefined);
  restore("PALIMPSEST_SEED", undefined);
  assert.deepEqual([cases(), kills()], [100, 10]);
  assert.equal(seed(), seed());
  process.env["PALIMPSEST_CASES"] = "7";
  process.env["PALIMPSEST_SEED"] = "42";
  assert.deepEqual([cases(), kills(), seed()], [7, 10, 42]);
  process.env["PALIMPSEST_CASES"] = "2000";
  assert.equal(kills(), 200);
});

for (const [name, value] of [
  ["PALIMPSEST_CASES", "many"],
  ["PALIMPSEST_CASES", "0"],
  ["PALIMPSEST_CASES", "1e3"],
  ["PALIMPSEST_SEED", "abc"],
  ["PALIMPSEST_SEED", "-1"],
] as const) {
  test(`${name}=${value} is refused before the first test, with what is expected`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/test.ts", "check-property"], {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: { ...process.env, [name]: value },
      encoding: "utf8",
    });
    assert.deepEqual([status, stdout], [2, ""]);
    assert.ok(stderr.startsWith(`${name} must be a whole number, ${name === "PALIMPSEST_CASES" ? 1 : 0} or more, found "${value}". `), stderr);
  });
}

test("runs as many cases as asked, the same ones for the same seed", () => {
  process.env["PALIMPSEST_CASES"] = "25";
  process.env["PALIMPSEST_SEED"] = "42";
  const run = (): number[] => {
    const seen: number[] = [];
    checkProperty("collect", [fc.integer()], (value) => {
      seen.push(value);
    });
    return seen;
  };
  assert.equal(run().length, 25);
  assert.deepEqual(run(), run());
});

test("a failure names the property, the seed and the shrunk counterexample", () => {
  process.env["PALIMPSEST_SEED"] = "42";
  const failing = (): void => {
    checkProperty("always small", [fc.nat(), fc.string()], (value) => value < 10);
  };
  assert.throws(failing, (error: Error) => {
    assert.match(error.message, /^always small: failed after/);
    assert.match(error.message, /PALIMPSEST_SEED=42 PALIMPSEST_CASES=\d+/);
    assert.match(error.message, /counterexample: \[\s+10,\s+""\s+\]/);
    return true;
  });
});

test("what the predicate throws is in the message", () => {
  const failing = (): void => {
    checkProperty("throws", [fc.nat()], () => {
      throw new Error("too large by far");
    });
  };
  assert.throws(failing, /too large by far/);
});

test("predicates that return promises fail by rejecting or by false", async () => {
  await checkAsyncProperty("fine", [fc.nat()], () => Promise.resolve(true));
  await assert.rejects(
    checkAsyncProperty("bad", [fc.nat()], () => Promise.reject(new Error("no"))),
    /bad: failed after 1 cases/,
  );
  await assert.rejects(
    checkAsyncProperty("false", [fc.nat()], () => Promise.resolve(false)),
    /Property failed by returning false/,
  );
});

test("deepFreeze reaches what is inside", () => {
  const value = deepFreeze({ list: [{ inner: { a: 1 } }] });
  assert.throws(() => {
    Object.assign(value.list[0]?.inner ?? {}, { a: 2 });
  }, TypeError);
  assert.throws(() => value.list.push({ inner: { a: 3 } }), TypeError);
});

test("sameBytes minds the order of keys", () => {
  assert.ok(sameBytes({ a: 1, b: [2] }, { a: 1, b: [2] }));
  assert.ok(!sameBytes({ a: 1, b: 2 }, { b: 2, a: 1 }));
});

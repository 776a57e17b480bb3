import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPrefixCache } from "./prefix-cache.ts";

const MINUTE = 60_000;
/** A piece is worth the number that it ends with. */
const cacheOf = (): ReturnType<typeof createPrefixCache> => createPrefixCache((piece) => Number(String(piece).split(" ").at(-1)));

describe("prefix cache", () => {
  it("has nothing at first, and then the longest common beginning in steps of 128", () => {
    const count = cacheOf();
    assert.deepEqual(count("m", ["a 1000", "b 100"], 0), { total: 1100, cached: 0 });
    assert.deepEqual(count("m", ["a 1000", "b 100", "c 50"], 0), { total: 1150, cached: 1024 });
    assert.deepEqual(count("m", ["a 1000", "b 100", "c 50", "d 2"], 0), { total: 1152, cached: 1024 });
    assert.deepEqual(count("m", ["a 1000", "b 100", "c 50", "d 2", "e 1"], 0), { total: 1153, cached: 1152 });
  });

  it("caches nothing below 1024 tokens, however much is the same", () => {
    const count = cacheOf();
    count("m", ["a 1000", "b 23"], 0);
    assert.equal(count("m", ["a 1000", "b 23", "c 5000"], 0).cached, 0);
    count("m", ["a 1024"], 0);
    assert.equal(count("m", ["a 1024"], 0).cached, 1024);
  });

  it("ends where something was changed, and still has the beginning of the older prompt", () => {
    const count = cacheOf();
    count("m", ["a 2048", "b 1024", "c 1024"], 0);
    assert.equal(count("m", ["a 2048", "x 1024", "c 1024"], 0).cached, 2048);
    assert.equal(count("m", ["a 2048", "b 1024", "c 1024"], 0).cached, 4096);
    assert.equal(count("m", ["z 1", "a 2048"], 0).cached, 0);
  });

  it("keeps models apart", () => {
    const count = cacheOf();
    count("m", ["a 2048"], 0);
    assert.equal(count("n", ["a 2048"], 0).cached, 0);
    assert.equal(count("m", ["a 2048"], 0).cached, 2048);
  });

  it("forgets after ten minutes without use", () => {
    const count = cacheOf();
    count("m", ["a 2048"], 0);
    assert.equal(count("m", ["a 2048"], 10 * MINUTE).cached, 2048);
    assert.equal(count("m", ["a 2048"], 20 * MINUTE).cached, 2048);
    assert.equal(count("m", ["a 2048"], 30 * MINUTE + 1).cached, 0);
  });
});

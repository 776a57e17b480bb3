import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkProperty } from "../../test/support/check-property.ts";
import { calibrate, calibratedTokens, startCalibration, type Calibration } from "./calibration.ts";

const text = (textTokens: number, mediaTokens = 0): { textTokens: number; mediaTokens: number } => ({ textTokens, mediaTokens });
const learned = (factor: number, requests: number): Calibration => ({ factor, requests });
/** Many requests of a model that counts `ratio` tokens for each of ours. */
const after = (start: Calibration, ratio: number, requests: number): Calibration =>
  Array.from({ length: requests }).reduce<Calibration>((calibration) => calibrate(calibration, text(10_000), 10_000 * ratio), start);

describe("calibration", () => {
  test("starts with the factor of the model's family", () => {
    assert.deepEqual(startCalibration(1.1), { factor: 1.1, requests: 0 });
    assert.equal(calibratedTokens(startCalibration(1.1), text(1000)), 1100);
  });

  test("the factor is of text: media are in tokens of the model already", () => {
    assert.equal(calibratedTokens(startCalibration(1.5), text(1000, 1568)), 3068);
    assert.deepEqual(calibrate(startCalibration(1), text(1000, 50_000), 51_200), { factor: 1.1, requests: 1 });
  });

  test("the first request counts as much as the table, later ones less and less", () => {
    assert.deepEqual(calibrate(startCalibration(1), text(1000), 1200), { factor: 1.1, requests: 1 });
    assert.ok(Math.abs(calibrate(learned(1, 1), text(1000), 1300).factor - 1.1) < 1e-9);
    assert.equal(calibrate(learned(1, 500), text(1000), 1080).factor, 1.01);
  });

  test("comes near the true factor within ten requests, and follows a change of the model", () => {
    const claude = after(startCalibration(1), 1.4575, 10);
    assert.ok(Math.abs(claude.factor / 1.4575 - 1) < 0.05, `${claude.factor}`);
    assert.ok(Math.abs(after(claude, 1, 20).factor - 1) < 0.05);
  });

  test("one odd request does little harm", () => {
    const before = after(startCalibration(1.1), 1.1, 20);
    assert.ok(calibrate(before, text(10_000), 10_000_000).factor < 1.1 * 1.07);
    assert.ok(calibrate(before, text(10_000), 1).factor > 1.1 * 0.95);
  });

  const NOTHING_LEARNED: readonly (readonly [what: string, estimate: { textTokens: number; mediaTokens: number }, reported: number])[] = [
    ["a small request", text(100), 400],
    ["no text", text(0, 1568), 1600],
    ["no usage reported", text(1000), 0],
    ["less than the media alone", text(1000, 2000), 1500],
    ["not a number", text(1000), Number.NaN],
    ["infinite", text(1000), Infinity],
    ["an estimate that is not a number", text(Number.NaN), 1000],
  ];
  for (const [what, estimate, reported] of NOTHING_LEARNED) {
    test(`nothing is learned from ${what}`, () => {
      const before = startCalibration(1.1);
      assert.equal(calibrate(before, estimate, reported), before);
    });
  }

  test("the factor stays within bounds, and survives JSON, whatever is reported", () => {
    const anyNumber = fc.oneof(fc.double(), fc.integer({ min: 0, max: 1_000_000 }));
    checkProperty("calibrate", [fc.double({ min: 0.1, max: 10, noNaN: true }), fc.array(fc.tuple(anyNumber, anyNumber))], (factor, requests) => {
      const end = requests.reduce((calibration, [tokens, reported]) => calibrate(calibration, text(tokens), reported), startCalibration(factor));
      assert.ok(end.factor >= 0.5 && end.factor <= 4, `${end.factor}`);
      assert.deepEqual(JSON.parse(JSON.stringify(end)), end);
    });
  });
});

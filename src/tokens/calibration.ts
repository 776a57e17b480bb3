import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Estimate } from "./message-tokens.ts";

/** What is known about how a model counts tokens. Plain JSON, so it can be stored with a thread. */
export interface Calibration {
  /** The model's tokens per token of o200k. */
  readonly factor: number;
  /** The number of requests it was learned from. */
  readonly requests: number;
}

/** In a smaller request, the tokens that providers add outweigh the signal. */
const LEAST_TEXT_TOKENS = 500;
/** No vocabulary in use differs more from o200k. A report beyond this did not count this request alone. */
const SMALLEST_FACTOR = 0.5;
const LARGEST_FACTOR = 4;
/** The most that one request can move the factor, so that a single odd one does little harm. */
const LARGEST_CHANGE = 1.5;
/** The first requests count most. Later ones weigh as if there had been only this many, so that a change of the model under a name is noticed. */
const LONGEST_MEMORY = 8;

/** Starts from the factor of a model's family, such as the `tokenFactor` of `palimpsest/pricing`. */
export function startCalibration(factor: number): Calibration {
  requireNumber(factor, "factor");
  return { factor: clamp(factor, SMALLEST_FACTOR, LARGEST_FACTOR), requests: 0 };
}

/** Returns an estimate in the model's own tokens. */
export function calibratedTokens(calibration: Calibration, estimate: Estimate): number {
  const { factor } = parseCalibration(calibration);
  const { textTokens, mediaTokens } = parseEstimate(estimate);
  return Math.round(textTokens * factor) + mediaTokens;
}

/**
 * Learns from the usage that the provider reported for a request: all input tokens, cache reads and writes included (`inputTokensOf`).
 * The estimate must cover the whole request too: system prompt, tools and messages. Returns the same calibration if nothing can be learned.
 */
export function calibrate(calibration: Calibration, estimate: Estimate, reportedTokens: number): Calibration {
  const { factor, requests } = parseCalibration(calibration);
  const { textTokens, mediaTokens } = parseEstimate(estimate);
  requireNumber(reportedTokens, "reportedTokens");
  const observed = (reportedTokens - mediaTokens) / textTokens;
  if (!(textTokens >= LEAST_TEXT_TOKENS && observed > 0 && Number.isFinite(observed))) return calibration;
  const believed = clamp(observed, factor / LARGEST_CHANGE, factor * LARGEST_CHANGE);
  const share = 1 / Math.min(requests + 2, LONGEST_MEMORY);
  return { factor: clamp(factor + (believed - factor) * share, SMALLEST_FACTOR, LARGEST_FACTOR), requests: requests + 1 };
}

function parseCalibration(calibration: Calibration): Calibration {
  if (!isRecord(calibration)) throw invalid("INVALID_INPUT", "calibration", "what startCalibration returned", calibration);
  requireNumber(calibration.factor, "calibration.factor");
  requireNumber(calibration.requests, "calibration.requests");
  return calibration;
}

function parseEstimate(estimate: Estimate): Estimate {
  if (!isRecord(estimate)) throw invalid("INVALID_INPUT", "estimate", "what estimateMessages returned", estimate);
  requireNumber(estimate.textTokens, "estimate.textTokens");
  requireNumber(estimate.mediaTokens, "estimate.mediaTokens");
  return estimate;
}

function requireNumber(value: unknown, path: string): void {
  if (typeof value !== "number") throw invalid("INVALID_INPUT", path, "a number", value);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

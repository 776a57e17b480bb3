import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Estimate } from "./message-tokens.ts";

/** What is known of how a model counts. JSON: it can be kept with a thread. */
export interface Calibration {
  /** Tokens of the model for a token of o200k. */
  readonly factor: number;
  /** How many requests it was learned from. */
  readonly requests: number;
}

/** In a smaller request, what providers add unseen outweighs what is learned. */
const LEAST_TEXT_TOKENS = 500;
/** No vocabulary in use is farther from o200k. What is reported beyond was not counted on this request alone. */
const SMALLEST_FACTOR = 0.5;
const LARGEST_FACTOR = 4;
/** One request moves the factor by no more than this, so that a single odd one does no harm. */
const LARGEST_CHANGE = 1.5;
/** The first requests count most; later ones weigh as if there had been only this many, so that a change of the model behind a name is noticed. */
const LONGEST_MEMORY = 8;

/** From the factor of a model's family, such as the `tokenFactor` of `palimpsest/pricing`. */
export function startCalibration(factor: number): Calibration {
  requireNumber(factor, "factor");
  return { factor: clamp(factor, SMALLEST_FACTOR, LARGEST_FACTOR), requests: 0 };
}

/** How many tokens of the model an estimate amounts to. */
export function calibratedTokens(calibration: Calibration, estimate: Estimate): number {
  const { factor } = parseCalibration(calibration);
  const { textTokens, mediaTokens } = parseEstimate(estimate);
  return Math.round(textTokens * factor) + mediaTokens;
}

/**
 * Learns from what the provider reported for a request: all of its input, read from and written to the cache included (`inputTokensOf`).
 * The estimate must be of all of it, too: system prompt, tools and messages. Where nothing can be learned, the same calibration comes back.
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

import type { Rejection } from "../protocol.ts";
import { isRecord } from "./json-values.ts";
import { refuseType } from "./openai-error.ts";

/** Returns the first fault, because the provider names only that one. */
export function firstRejection<T>(values: readonly T[], check: (value: T, at: number) => Rejection | undefined): Rejection | undefined {
  for (const [at, value] of values.entries()) {
    const rejection = check(value, at);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

export function checkAllRecords(param: string, values: readonly unknown[]): Rejection | undefined {
  return firstRejection(values, (value, at) => (isRecord(value) ? undefined : refuseType("shape", `${param}[${at}]`, "an object", value)));
}

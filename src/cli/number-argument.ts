import { InvalidArgumentError } from "commander";

/** Parses an argument that is a limit: a whole number, 0 included. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError("It must be a whole number, 0 or more.");
  return value;
}

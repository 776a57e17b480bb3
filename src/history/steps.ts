import { invalid } from "../errors/palimpsest-error.ts";
import { count, object, parseOptions, string, type Field } from "../errors/parse-options.ts";
import type { ReportedUsage } from "../stateless/input-tokens-of.ts";
import type { StoredStep } from "../store/store.ts";

/** A call of the model, as a policy needs it. */
export interface RecordedStep {
  /** The length of the log that it was made with. */
  readonly upTo: number;
  readonly model: string;
  /** Of system and tools. */
  readonly headHash: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly usage?: ReportedUsage;
}

/** Left out, `upTo` is the length of the log, `atMs` the time, and `headHash` empty. */
export type StepToRecord = Partial<RecordedStep> & Pick<RecordedStep, "model">;

const model: Field<string> = { expected: "the name of a model", accepts: (value): value is string => string.accepts(value) && value !== "" };
export const time: Field<number> = {
  expected: "a time in milliseconds",
  accepts: (value): value is number => typeof value === "number" && Number.isFinite(value),
};

export function parseStep(step: StepToRecord, length: number, now: number): RecordedStep {
  const given = parseOptions(step, "step", {
    upTo: upTo(length),
    model,
    headHash: string,
    atMs: time,
    usage: object<ReportedUsage>(),
  });
  const { usage, model: called } = given;
  if (called === undefined) throw invalid("INVALID_OPTION", "step.model", model.expected, called);
  return {
    upTo: given.upTo ?? length,
    model: called,
    headHash: given.headHash ?? "",
    atMs: given.atMs ?? now,
    ...(usage === undefined ? {} : { usage }),
  };
}

export function readStep({ value }: StoredStep): RecordedStep {
  return JSON.parse(value) as RecordedStep;
}

function upTo(length: number): Field<number> {
  return { expected: `a length of the log, 0 to ${length}`, accepts: (value): value is number => count.accepts(value) && value <= length };
}

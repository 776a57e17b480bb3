import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { count, object, parseOptions, string, type Field } from "../errors/parse-options.ts";
import type { Step } from "../policy/step.ts";
import type { ReportedUsage } from "../stateless/input-tokens-of.ts";
import type { StoredStep } from "../store/store.ts";
import type { BranchState } from "./branch-state.ts";

/** A call of the model, with what a policy needs of it. */
export interface RecordedStep extends Omit<Step, "isCold"> {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly usage?: ReportedUsage;
}

/** Defaults: `upTo` is the length of the log, `atMs` the current time, `headHash` empty. */
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

/** Returns the step with the length of the branch at the time of the call. */
export function stepToStore(state: BranchState, step: StepToRecord): { readonly recorded: RecordedStep; readonly stored: StoredStep } {
  const recorded = parseStep(step, state.messages.length, Date.now());
  const length = state.unitAt({ position: recorded.upTo, block: 0 })?.commit.sequence ?? state.entries.length;
  return { recorded, stored: { length, value: JSON.stringify(recorded) } };
}

export function readStep({ value }: StoredStep): RecordedStep {
  try {
    return JSON.parse(value) as RecordedStep;
  } catch (cause) {
    throw new PalimpsestError(
      "STORE_FAILED",
      "A recorded call of the model is damaged. palimpsest verify reports in which branch.",
      { operation: "steps" },
      cause,
    );
  }
}

function upTo(length: number): Field<number> {
  return { expected: `a length of the log, 0 to ${length}`, accepts: (value): value is number => count.accepts(value) && value <= length };
}

import type { RecordedStep } from "./steps.ts";

/** What a policy decides a call with. Steps are kept in one order for all who record them, so all agree on it. */
export interface DecisiveStep {
  /** The call: of those with the same log, the one that was recorded first. */
  readonly step: RecordedStep;
  /** The call that was decided before it; undefined: it is the first. */
  readonly before: RecordedStep | undefined;
}

/** `recorded` is among the steps. */
export function decisiveStep(steps: readonly RecordedStep[], recorded: RecordedStep): DecisiveStep {
  const number = steps.findIndex(({ upTo }) => upTo === recorded.upTo);
  return { step: steps[number] ?? recorded, before: longest(steps.slice(0, number).filter(({ upTo }) => upTo < recorded.upTo)) };
}

/** Who was slow, and recorded a call with a shorter log later, has decided nothing with it. */
function longest(steps: readonly RecordedStep[]): RecordedStep | undefined {
  return steps.reduce<RecordedStep | undefined>((last, step) => (last === undefined || step.upTo > last.upTo ? step : last), undefined);
}

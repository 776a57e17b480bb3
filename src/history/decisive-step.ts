import type { RecordedStep } from "./steps.ts";

/** The step that a policy decides a call with. All processes see the steps in the same order, so all agree on it. */
export interface DecisiveStep {
  /** The call: of those with the same log, the one that was recorded first. */
  readonly step: RecordedStep;
  /** The call that was decided before it; undefined: this is the first. */
  readonly before: RecordedStep | undefined;
}

/** Returns the step that decides the call of `recorded`, which is among the steps. */
export function decisiveStep(steps: readonly RecordedStep[], recorded: RecordedStep): DecisiveStep {
  const number = steps.findIndex(({ upTo }) => upTo === recorded.upTo);
  return { step: steps[number] ?? recorded, before: longest(steps.slice(0, number).filter(({ upTo }) => upTo < recorded.upTo)) };
}

/** Ignores calls with a shorter log that a slow process recorded late: they decided nothing. */
function longest(steps: readonly RecordedStep[]): RecordedStep | undefined {
  return steps.reduce<RecordedStep | undefined>((last, step) => (last === undefined || step.upTo > last.upTo ? step : last), undefined);
}

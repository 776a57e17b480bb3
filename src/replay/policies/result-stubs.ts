import { arrange } from "../../edits/arrange.ts";
import type { Proposal } from "../../edits/edit.ts";
import { blockAt, isText, resultText, type Message, type ToolResultBlock } from "../../messages/message.ts";
import type { Place } from "../../messages/place.ts";
import { bindsPrefix } from "../../messages/target.ts";
import { frozenStretch, isFrozen } from "../../passes/hold-back.ts";
import { untouchedResults } from "../../passes/untouched-results.ts";
import { parseTargetedLog, type TargetedLog } from "../../stateless/render-once.ts";
import type { ReplayStep } from "../replay-policy.ts";
import { targetOf } from "./target-of.ts";

/** Shows results as one line from some call on. Uses edits, so that thinking is shown only with the prefix it was signed for. */
export class ResultStubs {
  readonly #pass: string;
  readonly #stubOf: (result: ToolResultBlock) => string;
  #made: readonly Proposal[] = [];

  constructor(pass: string, stubOf: (result: ToolResultBlock) => string) {
    this.#pass = pass;
    this.#stubOf = stubOf;
  }

  read(log: readonly Message[], step: ReplayStep): TargetedLog {
    return parseTargetedLog(log, targetOf(step));
  }

  /** Returns those of the `oldest` results that are shown in full and would be shorter as stubs. */
  propose(call: TargetedLog, oldest: number): readonly Proposal[] {
    const untouched = new Set(untouchedResults(call.index, this.#made));
    // If thinking is not bound to its prefix, any result can change.
    const frozen = bindsPrefix(call.target) ? frozenStretch(call.log, call) : undefined;
    return call.index.results.slice(0, oldest).flatMap((at) => (untouched.has(at) && !isFrozen(frozen, at.position) ? this.#stub(call.log, at) : []));
  }

  commit(proposals: readonly Proposal[]): void {
    if (proposals.length > 0) this.#made = [...this.#made, ...proposals];
  }

  view({ log, index, target }: TargetedLog, proposals: readonly Proposal[] = []): Message[] {
    return arrange(log, index, [...this.#made, ...proposals], { ...target, seenFrom: 0 }).messages;
  }

  #stub(log: readonly Message[], at: Place): Proposal[] {
    const result = blockAt(log, at) as ToolResultBlock;
    const content = this.#stubOf(result);
    const isTextOnly = typeof result.content !== "object" || result.content.every(isText);
    if (isTextOnly && resultText(result).length <= content.length) return [];
    return [{ kind: "replace-result", at, callId: result.tool_use_id, form: "stub", content, pass: this.#pass, reason: "old", madeAt: log.length }];
  }
}

import type { FormatName } from "../../formats/codec.ts";
import { codecOf } from "../../formats/codecs.ts";
import { headLength } from "../../formats/head-of-log.ts";
import { isToolResult, type Message } from "../../messages/message.ts";
import type { Target } from "../../messages/target.ts";
import type { PrunerStrategy } from "../../passes/prune-turns/prune-turns.ts";
import { collapseToolChains } from "../../stateless/collapse-tool-chains.ts";
import { compactOldToolResults } from "../../stateless/compact-old-tool-results.ts";
import { compressToolResult } from "../../stateless/compress-tool-result.ts";
import { pruneMessages } from "../../stateless/prune-messages.ts";
import { shortenOnce } from "../../conversation/shorten-once.ts";
import type { PolicyChoice } from "../../policy/shortening-options.ts";
import { messagesSize } from "../../replay/context-size.ts";
import type { Trajectory } from "../../formats/transcripts/load-transcript.ts";

/** The steps to run, in this order. */
export interface CompactionSteps {
  readonly policy?: PolicyChoice | undefined;
  readonly maxResultTokens: number | undefined;
  readonly collapseAfter: number | undefined;
  readonly budget: number | undefined;
  readonly retainChars: number | undefined;
  readonly strategy: PrunerStrategy | undefined;
  readonly maxTurns: number | undefined;
}

export interface CompactedTrajectory {
  readonly id: string;
  readonly view: readonly Message[];
  readonly steps: readonly CompletedStep[];
}

export interface CompletedStep {
  readonly name: string;
  /** Messages that look different or are new. */
  readonly changed: number;
  /** How many messages fewer there are. */
  readonly dropped: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface TrajectoryContext {
  readonly wire: FormatName;
  readonly target: Partial<Target>;
  readonly tokenFactor: number;
  readonly model?: string | undefined;
}

type Step = readonly [name: string, run: (messages: readonly Message[]) => readonly Message[]];

export function compactTrajectory({ id, log }: Pick<Trajectory, "id" | "log">, steps: CompactionSteps, context: TrajectoryContext): CompactedTrajectory {
  const head = log.slice(0, headLength(log));
  const tokensOf = (messages: readonly Message[]): number => messagesSize(messages, context.tokenFactor);
  let messages = log.slice(head.length);
  const completed: CompletedStep[] = [];
  for (const [name, run] of stepsToRun(steps, { ...codecOf(context.wire).target, ...context.target }, tokensOf, context.model ?? "unknown")) {
    const before = new Set(messages);
    const after = run(messages);
    const kept = after.filter((message) => before.has(message)).length;
    completed.push({
      name,
      changed: after.length - kept,
      dropped: Math.max(0, messages.length - after.length),
      tokensBefore: tokensOf(messages),
      tokensAfter: tokensOf(after),
    });
    messages = [...after];
  }
  const view = [...head, ...messages];
  return {
    id,
    view,
    steps: completed,
  };
}

function stepsToRun(steps: CompactionSteps, target: Partial<Target>, tokensOf: (messages: readonly Message[]) => number, model: string): Step[] {
  const { policy, maxResultTokens, collapseAfter, budget, retainChars, strategy, maxTurns } = steps;
  const list: Step[] = [];
  if (maxResultTokens !== undefined) list.push(["cut long results", (messages) => messages.map((message) => withCutResults(message, maxResultTokens))]);
  if (collapseAfter !== undefined)
    list.push(["collapse old rounds", (messages) => collapseToolChains(messages, { collapseAfterTurns: collapseAfter, collapseMultiToolTurns: true }, target)]);
  if (budget !== undefined)
    list.push([
      "cut old results",
      (messages) =>
        compactOldToolResults(
          messages,
          { inputTokens: tokensOf(messages), inputTokenBudget: budget, onCompact: () => undefined, ...(retainChars === undefined ? {} : { toolResultRetentionChars: retainChars }) }, // prettier-ignore
          target,
        ).messages,
    ]);
  if (strategy !== undefined && maxTurns !== undefined)
    list.push([`prune, ${strategy}`, (messages) => pruneMessages(messages, { strategy, maxTurns }, target)]);
  if (policy !== undefined) list.push(["policy", (messages) => shortenOnce(messages, policy, model, target)]);
  return list;
}

/** Cuts one result after the other, as an agent would have done at ingest. */
function withCutResults(message: Message, maxToolResultTokens: number): Message {
  if (typeof message.content === "string" || !message.content.some(isToolResult)) return message;
  const content = message.content.map((block) => (isToolResult(block) ? compressToolResult(block, { maxToolResultTokens }) : block));
  return content.every((block, number) => block === message.content[number]) ? message : { ...message, content };
}

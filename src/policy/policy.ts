import type { Edit, Proposal } from "../edits/edit.ts";
import type { KnownTokens } from "../edits/make-edits.ts";
import type { Message } from "../messages/message.ts";
import type { PassContext } from "../passes/pass.ts";
import type { Decision } from "./decision.ts";
import type { Step } from "./step.ts";

/** A conversation as a policy sees it. */
export interface Situation extends PassContext {
  readonly log: readonly Message[];
  /** The edits that show. */
  readonly inForce: readonly Edit[];
  /** Messages that no policy may shorten. */
  readonly pinned: ReadonlySet<number>;
  /** What comes before this position was sent to a provider that keeps it: no policy can change it any more. 0: nothing was. */
  readonly fixedUntil: number;
  /** Messages that no range and no collapsed round may take out. */
  readonly keptWhole: ReadonlySet<number>;
  /** The positions of the view. */
  readonly shownPositions: readonly number[];
}

/**
 * Decides what a conversation shows shorter, and when. It only proposes: the conversation settles its proposals beside the edits in force, and
 * reports with `made` which of them were made. A policy leaves out the methods that it does not need. It may have a state, so each conversation has its own.
 */
export interface Policy {
  /** The tokens of what it proposes, where it has counted them. */
  readonly tokens?: KnownTokens;
  /** Goes on with a conversation in which calls were made before, `last` being the last one. What was decided then is in force, and is not decided again. */
  readonly resume?: (now: Situation, last: Step) => void;
  /** Called when messages have come in, the first of them at `from`, and the model has not seen them: shortening them costs no cache and no thinking. */
  readonly arrived?: (now: Situation, from: number) => readonly Proposal[];
  /** Called before each call of the model. */
  readonly beforeCall?: (now: Situation, step: Step) => readonly Proposal[];
  /** Called when the model has answered, with the tokens that it has read. */
  readonly answered?: (now: Situation, inputTokens: number) => readonly Proposal[];
  /**
   * Called when the provider has refused the request as too long, with the tokens that a view may take. While the view is larger, it is called again with
   * the next attempt, counted from 0. Undefined: there is nothing further to try.
   */
  readonly refused?: (now: Situation, limitTokens: number, attempt: number) => readonly Proposal[] | undefined;
  /** Called with edits that were made. `isOwn`: this policy proposed them; otherwise another one of the same conversation did. */
  readonly made?: (edits: readonly Edit[], isOwn: boolean) => void;
  /** Why the last call was sent as it was. */
  readonly explain?: () => Decision | undefined;
}

import type { Edit, Proposal } from "../edits/edit.ts";
import type { KnownTokens } from "../edits/make-edits.ts";
import type { Message } from "../messages/message.ts";
import type { PassContext } from "../passes/pass.ts";
import type { Decision } from "./decision.ts";
import type { Step } from "./step.ts";

/** A conversation as a policy sees it. */
export interface Situation extends PassContext {
  readonly log: readonly Message[];
  /** The edits that are not undone. */
  readonly inForce: readonly Edit[];
  /** Messages that no policy may shorten. */
  readonly pinned: ReadonlySet<number>;
  /** Messages before this position are kept by the provider, so no policy can change them any more. 0: none are. */
  readonly fixedUntil: number;
  /** Messages that no range and no collapsed round may take out. */
  readonly keptWhole: ReadonlySet<number>;
  /** The positions that the view shows. */
  readonly shownPositions: readonly number[];
}

/**
 * Decides what is shortened in a conversation, and when. It only proposes: the conversation settles the proposals against the edits in force, and
 * reports with `made` which of them were made. All methods are optional. A policy may have state, so each conversation has its own.
 */
export interface Policy {
  /** The tokens of its proposals, if it has counted them. */
  readonly tokens?: KnownTokens;
  /** Resumes a conversation after earlier calls, `last` being the last one. Earlier decisions are in force, and must not be made again. */
  readonly resume?: (now: Situation, last: Step) => void;
  /** Called when messages have come in, from position `from` on. The model has not seen them, so shortening them costs no cache and no thinking. */
  readonly arrived?: (now: Situation, from: number) => readonly Proposal[];
  /** Called before each call of the model. */
  readonly beforeCall?: (now: Situation, step: Step) => readonly Proposal[];
  /** Called when the model has answered, with the number of tokens that it read. */
  readonly answered?: (now: Situation, inputTokens: number) => readonly Proposal[];
  /**
   * Called when the provider has refused the request as too long, with the limit for the view. While the view is larger, it is called again with
   * the next attempt, counted from 0. Undefined: there is nothing more to try.
   */
  readonly refused?: (now: Situation, limitTokens: number, attempt: number) => readonly Proposal[] | undefined;
  /** Called with edits that were made. `isOwn`: this policy proposed them, not another one of the same conversation. */
  readonly made?: (edits: readonly Edit[], isOwn: boolean) => void;
  /** Explains why the last call was sent as it was. */
  readonly explain?: () => Decision | undefined;
}

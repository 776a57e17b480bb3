import { render } from "../../edits/render.ts";
import { report } from "../../edits/report.ts";
import { indexLog } from "../../messages/index-log.ts";
import { isToolResult, resultText, type Message } from "../../messages/message.ts";
import type { Edit } from "../../edits/edit.ts";
import type { Place } from "../../messages/place.ts";
import { createEditDescriber } from "./describe-edit.ts";
import type { Trajectory } from "./load-trajectory.ts";
import { proveView, type Proof } from "./prove-view.ts";
import { shortenSession } from "./shorten-session.ts";

/** One edit, described for a person: where, what, by which pass, why, and what it saves. */
export interface Shortening {
  readonly position: number;
  readonly what: string;
  readonly pass: string;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** One result, in full and shortened. */
export interface Excerpt {
  readonly shortening: Shortening;
  readonly before: string;
  readonly after: string;
}

/** Everything the demo prints. Both outputs, text and JSON, are made from this value alone. */
export interface Demo {
  readonly description: string;
  readonly messages: number;
  readonly rounds: number;
  readonly messagesShown: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Largest saving first. */
  readonly shortenings: readonly Shortening[];
  readonly excerpt: Excerpt | null;
  readonly proofs: readonly Proof[];
}

export function playSession(trajectory: Trajectory): Demo {
  const log = trajectory.messages;
  const edits = shortenSession(log).toSorted((a, b) => savingOf(b) - savingOf(a));
  const view = render(log, edits);
  const { tokensBefore, tokensAfter } = report(log, edits);
  const describe = createEditDescriber(log);
  const shorten = (edit: Edit): Shortening => ({
    ...describe(edit),
    pass: edit.pass,
    reason: edit.reason,
    tokensBefore: edit.tokensBefore,
    tokensAfter: edit.tokensAfter,
  });
  return {
    description: trajectory.description,
    messages: log.length,
    rounds: new Set(indexLog(log).calls.map((call) => call.position)).size,
    messagesShown: view.length,
    tokensBefore,
    tokensAfter,
    shortenings: edits.map(shorten),
    excerpt: excerptOf(log, edits, shorten),
    proofs: proveView(log, edits, view),
  };
}

function savingOf(edit: Edit): number {
  return edit.tokensBefore - edit.tokensAfter;
}

/** Returns the result that was shortened the most. */
function excerptOf(log: readonly Message[], edits: readonly Edit[], shorten: (edit: Edit) => Shortening): Excerpt | null {
  for (const edit of edits) {
    if (edit.kind !== "replace-result" || typeof edit.content !== "string") continue;
    const before = textOfResult(log, edit.at);
    if (before !== undefined) return { shortening: shorten(edit), before, after: edit.content };
  }
  return null;
}

function textOfResult(log: readonly Message[], at: Place): string | undefined {
  const content = log[at.position]?.content;
  const block = typeof content === "string" ? undefined : content?.[at.block];
  return block !== undefined && isToolResult(block) ? resultText(block) : undefined;
}

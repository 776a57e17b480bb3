import type { ComponentChildren, JSX } from "preact";
import type { ErrorAnswer } from "../../answers.ts";
import { listPath } from "../state/route.ts";
import { visible } from "./visible-text.tsx";
import { Icon } from "./icon.tsx";

const TITLES: Readonly<Record<string, string>> = {
  CONVERSATION_UNKNOWN: "There is no such conversation",
  CALL_UNKNOWN: "There is no such call",
  CALL_REMOVED: "This call was removed",
  STORE_LOCKED: "The store cannot be read",
  STORE_GONE: "The store is gone",
  STORE_FAILED: "The store cannot be read",
  SCHEMA_NEWER: "The store has a newer version",
  SERVER_GONE: "The server does not respond",
};

/** Shows an error in place of the content: what happened, what it means for agents, what to do. */
export function Trouble({
  error,
  isPart = false,
  onRetry,
  children,
}: {
  readonly error: ErrorAnswer["error"];
  /** The error is a part of a page that has its own heading. */
  readonly isPart?: boolean;
  readonly onRetry?: () => void;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const title = (
    <>
      <Icon name="warn" />
      {TITLES[error.code] ?? "This cannot be shown"}
    </>
  );
  return (
    <section class="card err" role="alert">
      {isPart ? <h2>{title}</h2> : <h1>{title}</h1>}
      <dl>
        <dt>What happened</dt>
        <dd>{visible(error.message)}</dd>
        {error.meaning !== undefined && (
          <>
            <dt>Your agents</dt>
            <dd>{error.meaning}</dd>
          </>
        )}
        <dt>What to do</dt>
        <dd>{error.remedy}</dd>
      </dl>
      <div class="acts">
        {onRetry !== undefined && (
          <button type="button" class="btn pri" onClick={onRetry}>
            Try again
          </button>
        )}
        <a class="btn" href={listPath()}>
          All conversations
        </a>
        {children}
      </div>
    </section>
  );
}

export function Waiting({ what }: { readonly what: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {what}
    </p>
  );
}

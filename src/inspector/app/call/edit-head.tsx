import type { JSX } from "preact";
import type { EditCard } from "../../answers.ts";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible-text.tsx";
import { amount } from "../words/numbers.ts";

/** Shows an edit above the pair that it changed: its pass, reason, savings, author and time. */
export function EditHead({
  edit,
  isOpen,
  onToggle,
  canOpen,
}: {
  readonly edit: EditCard;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly canOpen: boolean;
}): JSX.Element {
  const { pass, reason, before, after, handle, sequence, isNew, undoneAt, by } = edit;
  return (
    <div class={`edit${isNew ? "" : " old"}${undoneAt === undefined ? "" : " undone"}`} data-edit={edit.id} tabIndex={-1}>
      <div class="f">
        <b class="mono">{visible(pass)}</b>
        <span class="why" dir="auto">
          {visible(reason)}
        </span>
      </div>
      <div class="acts">
        {canOpen && (
          <button type="button" class="btn s" aria-pressed={isOpen} onClick={onToggle}>
            <Icon name="eye" />
            {isOpen ? "Show differences" : "Show original"}
          </button>
        )}
      </div>
      <div class="facts">
        <span class="delta">
          {amount(before)} → <b>{amount(after)}</b> tokens
        </span>
        {handle !== undefined && (
          <span>
            handle <code class="h8">{visible(handle)}</code>
          </span>
        )}
        <span>
          {sequence === undefined ? "" : isNew ? `at call ${amount(sequence)}` : `since call ${amount(sequence)}`}
          {by !== "" && `${sequence === undefined ? "" : ", "}${by}`}
        </span>
      </div>
      {undoneAt !== undefined && <p class="undone-note">Undone since. From call {amount(undoneAt)} on, the original was sent again.</p>}
    </div>
  );
}

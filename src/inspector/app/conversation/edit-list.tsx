import type { JSX } from "preact";
import type { EditEvent } from "../../answers.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { visible } from "../parts/visible-text.tsx";
import { callPath } from "../state/route.ts";
import { amount } from "../words/numbers.ts";

interface EditListProps {
  readonly conversation: { readonly thread: string; readonly branch: string };
  readonly events: readonly EditEvent[];
}

export function EditList({ conversation, events }: EditListProps): JSX.Element {
  return (
    <ol>
      {events.map((event) => (
        <EditLine key={event.key} conversation={conversation} event={event} />
      ))}
    </ol>
  );
}

function EditLine({ conversation, event }: { readonly conversation: EditListProps["conversation"]; readonly event: EditEvent }): JSX.Element {
  const { sequence, icon, title, tag, text, before, after, isUndone } = event;
  const isOurs = !isUndone && icon !== "recall" && icon !== "pause" && icon !== "fault";
  const glyph: IconName = icon;
  return (
    <li class={`ev${isOurs ? " ours" : ""}${isUndone ? " undone" : ""}`}>
      <span class="call">
        {sequence === undefined ? (
          "earlier"
        ) : (
          <a class="link" href={callPath(conversation, sequence)}>
            call {amount(sequence)}
          </a>
        )}
      </span>
      <span class="mk">
        <Icon name={glyph} />
      </span>
      <div>
        <h3>
          <span>{visible(title)}</span>
          <span class={isOurs ? "tag ours" : "tag"}>{tag}</span>
        </h3>
        <p dir="auto">{visible(text)}</p>
      </div>
      {before > 0 && (
        <div class="save">
          <span class="dimmer">{amount(before)} →</span> <b>{amount(after)}</b>
        </div>
      )}
    </li>
  );
}

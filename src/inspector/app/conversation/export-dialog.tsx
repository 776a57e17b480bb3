import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ConversationRow } from "../../answers.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { ApiError, download, refPath } from "../state/api.ts";

/** Exports the conversation as one file, to keep or to attach to a report. */
export function ExportDialog({ conversation, onClose }: { readonly conversation: ConversationRow; readonly onClose: () => void }): JSX.Element {
  const [isRedacted, setRedacted] = useState(true);
  const [problem, setProblem] = useState("");
  const save = (): void => {
    const name = `palimpsest-${conversation.thread.slice(0, 60)}${isRedacted ? "-redacted" : ""}.html`;
    download(`${refPath(conversation)}/export.html${isRedacted ? "?redact=1" : ""}`, name)
      .then(onClose)
      .catch((error: unknown) => setProblem(error instanceof ApiError ? `${error.answer.message} ${error.answer.remedy}` : "The file could not be made."));
  };
  return (
    <Dialog title="Export this conversation" onClose={onClose}>
      <p>One HTML file without scripts, which opens anywhere and loads nothing: what was said, what was shortened and why, and what every call cost.</p>
      <p class="gap">
        <label>
          <input type="checkbox" checked={isRedacted} onChange={(event) => setRedacted(event.currentTarget.checked)} /> Without contents: texts are replaced by
          their sizes, for a bug report
        </label>
      </p>
      {!isRedacted && <p class="dim">Anything that looks like a key is masked. Everything else in the conversation is in the file.</p>}
      {problem !== "" && (
        <p class="dim" role="alert">
          {problem}
        </p>
      )}
      <div class="acts gap">
        <button type="button" class="btn pri" onClick={save}>
          <Icon name="download" />
          Save the file
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

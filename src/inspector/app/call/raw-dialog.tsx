import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Choice } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { ApiError, download, request } from "../state/api.ts";
import { bytes } from "../words/numbers.ts";
import { TextLines } from "./text-lines.tsx";

type Side = "sent" | "client";

/** Shows the request as JSON of its API. */
export function RawDialog({ path, sequence, onClose }: { readonly path: string; readonly sequence: number; readonly onClose: () => void }): JSX.Element {
  const [side, setSide] = useState<Side>("sent");
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState("");
  const url = `${path}/request.json?side=${side}`;
  useEffect(() => {
    const abort = new AbortController();
    setText(undefined);
    request(url, { signal: abort.signal })
      .then(async (response) => setText(await response.text()))
      .catch(
        (error: unknown) =>
          !abort.signal.aborted && setProblem(error instanceof ApiError ? `${error.answer.message} ${error.answer.remedy}` : "It could not be read."),
      );
    return () => abort.abort();
  }, [url]);
  return (
    <Dialog
      title={`Request of call ${sequence}`}
      isWide
      onClose={onClose}
      actions={
        <button type="button" class="btn s" onClick={() => void download(url, `call-${sequence}-${side}.json`)}>
          <Icon name="download" />
          Save
        </button>
      }
    >
      <div class="acts">
        <Choice<Side>
          label="Which side"
          options={[
            { value: "sent", label: "What was sent" },
            { value: "client", label: "What the client sent" },
          ]}
          value={side}
          onChoose={setSide}
        />
        <span class="dim">{text === undefined ? "" : `${bytes(text.length)}, rebuilt from the store; keys are masked`}</span>
      </div>
      <div class="raw gap" tabIndex={0} role="region" aria-label="The request as JSON">
        {problem !== "" ? <p class="dim">{problem}</p> : text === undefined ? <p class="waiting">Reading …</p> : <TextLines key={side} text={text} isWhole />}
      </div>
    </Dialog>
  );
}

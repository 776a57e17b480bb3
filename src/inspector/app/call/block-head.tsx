import type { JSX } from "preact";
import type { BlockView } from "../../answers.ts";
import { visible } from "../parts/visible-text.tsx";
import { amount } from "../words/numbers.ts";

/** Shows the speaker and the subject of a block. Our own tags are here, outside the text of the conversation. */
export function BlockHead({
  block,
  tags = [],
}: {
  readonly block: BlockView;
  readonly tags?: readonly (readonly [text: string, isOurs?: boolean])[];
}): JSX.Element {
  const { kind, role, name, gist, place, tokens, isError } = block;
  const label = kind === "text" ? role : kind;
  return (
    <div class="bh">
      <span class="tag">{label}</span>
      {name !== undefined && (
        <b class="mono" title={gist === undefined ? name : `${name} ${gist}`}>
          {visible(gist === undefined ? name : `${name} ${gist}`)}
        </b>
      )}
      {isError === true && <span class="tag">error: never cut</span>}
      {tags.map(([text, isOurs]) => (
        <span key={text} class={isOurs === true ? "tag ours" : "tag"}>
          {text}
        </span>
      ))}
      <span class="sp" />
      <span class="dimmer pos">{place}</span>
      <span>{amount(tokens)} tokens</span>
    </div>
  );
}

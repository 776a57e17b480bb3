import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible-text.tsx";
import { amount, bytes, counted } from "../words/numbers.ts";
import type { WordPart } from "../diff/line-diff.ts";

/** How lines are marked: unchanged, left out ("o"), or new in their place ("n"). */
export type LineMark = "" | "o" | "n";

const LONG_LINE_CHARS = 2_000;
const LONG_LINE_START = 400;
const LINE_PIECE_CHARS = 64 * 1024;
const PIECE_LINES = 500;

/** Shows one line. Only the beginning of a very long line is in the page until more is requested. */
function Line({
  text,
  mark = "",
  isProse = false,
  parts,
}: {
  readonly text: string;
  readonly mark?: LineMark;
  readonly isProse?: boolean;
  readonly parts?: readonly WordPart[];
}): JSX.Element {
  const [shown, setShown] = useState(LONG_LINE_START);
  const isLong = text.length > LONG_LINE_CHARS;
  const kind = `ln${mark === "" ? "" : ` ${mark}`}${isProse ? " prose" : ""}`;
  if (parts !== undefined && !isLong)
    return (
      <div class={kind}>
        <span>{parts.map(({ text: part, isChanged }) => (isChanged ? <mark>{visible(part)}</mark> : <>{visible(part)}</>))}</span>
      </div>
    );
  if (!isLong) return <div class={kind}>{<span>{text === "" ? " " : visible(text)}</span>}</div>;
  const rest = text.length - shown;
  return (
    <div class={kind}>
      <span>
        {visible(text.slice(0, shown))}
        {rest > 0 && (
          <button type="button" class="in-line" onClick={() => setShown(shown + LINE_PIECE_CHARS)}>
            {bytes(rest)} more in this line
          </button>
        )}
      </span>
    </div>
  );
}

/** Lines shown at the start and at the end of a cut text. */
const START_LINES = 5;
const END_LINES = 3;
const FEW_LINES = START_LINES + END_LINES + 4;

interface TextLinesProps {
  readonly text: string;
  readonly mark?: LineMark;
  readonly isProse?: boolean;
  /** Opened by the reader: show it from the start, in pieces. */
  readonly isWhole?: boolean;
  /** The label of a cut: "left out", or nothing. */
  readonly cutWord?: string;
  readonly words?: readonly (readonly WordPart[])[] | undefined;
}

/** Shows a text by lines: a short one whole, a long one by its start and end until it is opened. */
export function TextLines({ text, mark = "", isProse = false, isWhole = false, cutWord = "", words }: TextLinesProps): JSX.Element {
  const lines = useMemo(() => text.split("\n"), [text]);
  const [pieces, setPieces] = useState(0);
  const open = isWhole && pieces === 0 ? 1 : pieces;
  const line = (one: string, number: number): JSX.Element => (
    <Line key={number} text={one} mark={mark} isProse={isProse} {...(words?.[number] === undefined ? {} : { parts: words[number] })} />
  );
  if (lines.length <= FEW_LINES)
    return (
      <div class="lines" dir="auto">
        {lines.map(line)}
      </div>
    );
  if (open === 0) {
    const hidden = lines.length - START_LINES - END_LINES;
    return (
      <div class="lines" dir="auto">
        {lines.slice(0, START_LINES).map(line)}
        <Cut mark={mark} onOpen={() => setPieces(1)}>
          {counted(hidden, "line")} {cutWord === "" ? "more" : cutWord}
        </Cut>
        {lines.slice(-END_LINES).map((one, number) => line(one, lines.length - END_LINES + number))}
      </div>
    );
  }
  const shown = Math.min(lines.length, START_LINES + open * PIECE_LINES);
  return (
    <div class="lines" dir="auto">
      {lines.slice(0, shown).map(line)}
      {shown < lines.length && (
        <Cut mark={mark} onOpen={() => setPieces(open + 1)}>
          {amount(Math.min(PIECE_LINES, lines.length - shown))} of {counted(lines.length - shown, "line")} more
        </Cut>
      )}
    </div>
  );
}

export function Cut({
  mark = "",
  onOpen,
  children,
}: {
  readonly mark?: LineMark;
  readonly onOpen: () => void;
  readonly children: JSX.Element | string | (JSX.Element | string)[];
}): JSX.Element {
  return (
    <button type="button" class={`cut ${mark}`} onClick={onOpen}>
      <Icon name="expand" />
      <span>{children}</span>
    </button>
  );
}

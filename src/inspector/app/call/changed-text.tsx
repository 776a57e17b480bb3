import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BlockView, TextAnswer } from "../../answers.ts";
import { diffTexts, MOST_DIFF_CHARS } from "../diff/diff-texts.ts";
import type { Hunk } from "../diff/line-diff.ts";
import { ApiError, read } from "../state/api.ts";
import { counted } from "../words/numbers.ts";
import { BlockBody } from "./block-body.tsx";
import { BlockHead } from "./block-head.tsx";
import { Cut, TextLines } from "./text-lines.tsx";

interface ChangedTextProps {
  readonly left: BlockView;
  readonly right: BlockView;
  readonly path: string;
  /** Show the whole original instead of the differences. */
  readonly isWhole: boolean;
}

interface Compared {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** Shows a block beside its replacement, line by line. */
export function ChangedText({ left, right, path, isWhole }: ChangedTextProps): JSX.Element {
  const [compared, setCompared] = useState<Compared>();
  const [note, setNote] = useState("");
  const isLarge = left.chars + right.chars > MOST_DIFF_CHARS;
  useEffect(() => {
    if (isLarge) return undefined;
    let isGone = false;
    const compare = async (): Promise<void> => {
      const [leftText, rightText] = await Promise.all([wholeText(left, path), wholeText(right, path)]);
      const result = await diffTexts(leftText, rightText);
      if (isGone) return;
      if ("hunks" in result) setCompared({ left: leftText.split("\n"), right: rightText.split("\n"), hunks: result.hunks });
      else setNote("Too different to compare line by line: both are shown as they are.");
    };
    compare().catch(
      (error: unknown) =>
        !isGone &&
        setNote(error instanceof ApiError ? `${error.answer.message} ${error.answer.remedy}` : "They could not be compared: both are shown as they are."),
    );
    return () => {
      isGone = true;
    };
  }, [left.id, right.id, path]);
  const heads = (
    <div class="cells heads">
      <div class="cell tight">
        <span class="who">What the client sent</span>
        <BlockHead block={left} />
      </div>
      <div class="cell tight">
        <span class="who">What was sent</span>
        <BlockHead block={right} />
      </div>
    </div>
  );
  if (isWhole || isLarge || note !== "" || compared === undefined)
    return (
      <>
        {heads}
        <div class="cells">
          <div class="cell tight">
            <BlockBody block={left} path={path} mark="o" isWhole={isWhole} />
          </div>
          <div class="cell tight">
            <BlockBody block={right} path={path} mark="n" />
          </div>
        </div>
        {(isLarge || note !== "") && <p class="sep-row dim">{isLarge ? "Over 2 MB: shown as they are, not compared line by line." : note}</p>}
      </>
    );
  return (
    <>
      {heads}
      <Hunks compared={compared} />
    </>
  );
}

/** Lines shown at first, and added by each further piece. */
const FIRST_LINES = 26;
const PIECE_LINES = 500;

/** Shows differences by line: the first and last ones, the rest on request. */
function Hunks({ compared }: { readonly compared: Compared }): JSX.Element {
  const [budget, setBudget] = useState(FIRST_LINES);
  const { hunks } = compared;
  let lines = 0;
  let shown = 0;
  while (shown < hunks.length && lines <= budget) lines += heightOf(hunks[shown++]);
  // Showing one or two more takes less room than hiding them.
  if (hunks.length - shown <= 2) shown = hunks.length;
  const rest = hunks.slice(shown, -1);
  const draw = (hunk: Hunk): JSX.Element =>
    hunk.isSame ? <SameHunk key={`s${hunk.left}`} hunk={hunk} {...compared} /> : <ChangedHunk key={`c${hunk.left}/${hunk.right}`} hunk={hunk} {...compared} />;
  return (
    <>
      {hunks.slice(0, shown).map(draw)}
      {rest.length > 0 && (
        <>
          <Cut onOpen={() => setBudget(budget + PIECE_LINES)}>
            {counted(
              rest.reduce((sum, hunk) => sum + hunk.leftLines, 0),
              "line",
            )}
            {" more, with "}
            {counted(rest.filter(({ isSame }) => !isSame).length, "difference")}
          </Cut>
          {hunks.slice(-1).map(draw)}
        </>
      )}
    </>
  );
}

/** Returns the lines that a hunk takes at first: long stretches are folded. */
function heightOf(hunk: Hunk | undefined): number {
  if (hunk === undefined) return 0;
  const { leftLines, rightLines } = hunk;
  return Math.min(9, Math.max(leftLines, rightLines));
}

const AROUND = 3;

/** Shows lines that both sides have: those next to a difference, the rest on request. */
function SameHunk({ hunk, left, right }: { readonly hunk: Hunk; readonly left: readonly string[]; readonly right: readonly string[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { leftLines: count } = hunk;
  const part = (from: number, to: number): JSX.Element => (
    <div class="cells eq">
      <div class="cell tight">
        <TextLines text={left.slice(hunk.left + from, hunk.left + to).join("\n")} isWhole />
      </div>
      <div class="cell tight">
        <TextLines text={right.slice(hunk.right + from, hunk.right + to).join("\n")} isWhole />
      </div>
    </div>
  );
  if (isOpen || count <= AROUND * 2 + 3) return part(0, count);
  return (
    <>
      {part(0, AROUND)}
      <Cut onOpen={() => setOpen(true)}>{counted(count - AROUND * 2, "line")} that both have</Cut>
      {part(count - AROUND, count)}
    </>
  );
}

function ChangedHunk({ hunk, left, right }: { readonly hunk: Hunk; readonly left: readonly string[]; readonly right: readonly string[] }): JSX.Element {
  const { words } = hunk;
  return (
    <div class="cells">
      <div class="cell tight">
        {hunk.leftLines > 0 && (
          <TextLines text={left.slice(hunk.left, hunk.left + hunk.leftLines).join("\n")} mark="o" cutWord="left out" words={words?.map((pair) => pair.left)} />
        )}
        <div class="hatch" />
      </div>
      <div class="cell tight">
        {hunk.rightLines > 0 && (
          <TextLines text={right.slice(hunk.right, hunk.right + hunk.rightLines).join("\n")} mark="n" words={words?.map((pair) => pair.right)} />
        )}
        <div class="hatch" />
      </div>
    </div>
  );
}

async function wholeText(block: BlockView, path: string): Promise<string> {
  if (!block.isCut) return block.text;
  return (await read<TextAnswer>(`${path}/text?id=${block.id}&limit=${MOST_DIFF_CHARS}`)).text;
}

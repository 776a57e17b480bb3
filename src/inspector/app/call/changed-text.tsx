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
  /** The whole original, instead of the differences. */
  readonly isWhole: boolean;
}

interface Compared {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** A block beside what was sent in its place, line by line. */
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
    compare().catch((error: unknown) => !isGone && setNote(error instanceof ApiError ? `${error.answer.message} ${error.answer.remedy}` : "They could not be compared: both are shown as they are."));
    return () => {
      isGone = true;
    };
  }, [left.id, right.id, path]);
  const heads = (
    <div class="cells">
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
      {compared.hunks.map((hunk) => (hunk.isSame ? <SameHunk key={hunk.left} hunk={hunk} lines={compared.left} /> : <ChangedHunk key={`c${hunk.left}/${hunk.right}`} hunk={hunk} {...compared} />))}
    </>
  );
}

const AROUND = 3;

/** Lines that both sides have: those next to a difference, and the rest when it is asked for. */
function SameHunk({ hunk, lines }: { readonly hunk: Hunk; readonly lines: readonly string[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const own = lines.slice(hunk.left, hunk.left + hunk.leftLines);
  if (isOpen || own.length <= AROUND * 2 + 3) return <Twice text={own.join("\n")} isWhole={isOpen} />;
  return (
    <>
      <Twice text={own.slice(0, AROUND).join("\n")} isWhole />
      <Cut onOpen={() => setOpen(true)}>{counted(own.length - AROUND * 2, "line")} that both have</Cut>
      <Twice text={own.slice(-AROUND).join("\n")} isWhole />
    </>
  );
}

function Twice({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }): JSX.Element {
  return (
    <div class="cells eq">
      <div class="cell tight">
        <TextLines text={text} isWhole={isWhole} />
      </div>
      <div class="cell tight">
        <TextLines text={text} isWhole={isWhole} />
      </div>
    </div>
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
        {hunk.rightLines > 0 && <TextLines text={right.slice(hunk.right, hunk.right + hunk.rightLines).join("\n")} mark="n" words={words?.map((pair) => pair.right)} />}
        <div class="hatch" />
      </div>
    </div>
  );
}

async function wholeText(block: BlockView, path: string): Promise<string> {
  if (!block.isCut) return block.text;
  return (await read<TextAnswer>(`${path}/text?id=${block.id}&limit=${MOST_DIFF_CHARS}`)).text;
}

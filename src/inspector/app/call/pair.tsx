import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { BlocksAnswer, BlockView, PairRow } from "../../answers.ts";
import { Icon } from "../parts/icon.tsx";
import { ApiError, read } from "../state/api.ts";
import { amount, counted } from "../words/numbers.ts";
import { BlockBody } from "./block-body.tsx";
import { BlockHead } from "./block-head.tsx";
import { ChangedText } from "./changed-text.tsx";
import { EditHead } from "./edit-head.tsx";
import { Cut } from "./text-lines.tsx";

interface PairProps {
  readonly row: PairRow;
  readonly path: string;
}

/** Shows the client's blocks beside the blocks that were sent in their place. */
export function Pair({ row, path }: PairProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const [first] = row.edits;
  return (
    <div class={row.type === "same" ? "pair same" : "pair"} data-changed={row.edits.length > 0 ? "" : undefined}>
      {row.isFirstChanged === true && (
        <p class="broke">
          <Icon name="warn" />
          <span>The cache was broken here: this is the first block that differs from the previous call.</span>
        </p>
      )}
      {row.edits.map((edit) => (
        <EditHead key={edit.id} edit={edit} isOpen={isWhole} onToggle={() => setWhole(!isWhole)} canOpen={row.left.length > 0 && edit === first} />
      ))}
      <Cells row={row} path={path} isWhole={isWhole} />
    </div>
  );
}

function Cells({ row, path, isWhole }: PairProps & { readonly isWhole: boolean }): JSX.Element {
  const { type, left, right, leftBlocks } = row;
  const [old] = left;
  const [shown] = right;
  if (type === "same" && old !== undefined) {
    const tags = old.kind === "text" && old.role === "user" ? ([["your words: never cut"]] as const) : [];
    return (
      <div class="cells">
        <Side who={row.isAnswer === true ? "What came back" : "Sent as it came"}>
          <BlockHead block={old} tags={tags} />
          <BlockBody block={old} path={path} />
        </Side>
        <Side who="What was sent">
          <BlockHead block={old} />
          <BlockBody block={old} path={path} />
        </Side>
      </div>
    );
  }
  if (type === "changed" && old !== undefined && shown !== undefined && leftBlocks === 1 && right.length === 1)
    return old.kind === "tools" ? <Tools left={old} right={shown} path={path} /> : <ChangedText left={old} right={shown} path={path} isWhole={isWhole} />;
  return (
    <div class="cells">
      <Side who="What the client sent" isVoid={left.length === 0}>
        {leftBlocks > 1 && (
          <div class="bh">
            <span class="tag">{counted(leftBlocks, "block")}</span>
            <span class="sp" />
            <span class="dimmer pos">
              {left[0]?.place} – {row.leftEnd}
            </span>
            <span>{amount(row.leftTokens)} tokens</span>
          </div>
        )}
        {left.length === 0 ? <div class="hatch" /> : <LeftBlocks row={row} path={path} isWhole={isWhole} />}
      </Side>
      <Side who="What was sent">
        {right.length === 0 ? (
          <>
            <div class="bh">
              <span class="dimmer">left out</span>
            </div>
            <div class="hatch" />
          </>
        ) : (
          right.map((block) => (
            <div key={block.id}>
              <BlockHead block={block} tags={row.isHidden === true ? [["the client did not see this", true]] : []} />
              <BlockBody block={block} path={path} mark={row.isHidden === true && row.isAnswer === true ? "" : "n"} />
            </div>
          ))
        )}
      </Side>
    </div>
  );
}

function Side({ who, isVoid = false, children }: { readonly who: string; readonly isVoid?: boolean; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class={isVoid ? "cell void" : "cell"}>
      <span class="who">{who}</span>
      {children}
    </div>
  );
}

/** Shows the client's blocks that were replaced: the first ones, more on request. */
function LeftBlocks({ row, path, isWhole }: PairProps & { readonly isWhole: boolean }): JSX.Element {
  const [more, setMore] = useState<readonly BlockView[]>([]);
  const [problem, setProblem] = useState("");
  const blocks = more.length > 0 ? more : isWhole ? row.left : row.left.slice(0, row.leftBlocks === 1 ? 1 : 3);
  const rest = row.leftBlocks - blocks.length;
  const load = (): void => {
    const from = more.length;
    read<BlocksAnswer>(`${path}/blocks?row=${row.row}&from=${from}&limit=40`)
      .then((answer) => setMore([...more, ...answer.blocks]))
      .catch((error: unknown) => setProblem(error instanceof ApiError ? error.answer.message : "They could not be read."));
  };
  return (
    <>
      {blocks.map((block) => (
        <div key={block.id}>
          <BlockHead block={block} />
          <BlockBody block={block} path={path} mark="o" />
        </div>
      ))}
      {problem !== "" && <p class="facts">{problem}</p>}
      {rest > 0 && (
        <Cut mark="o" onOpen={load}>
          {counted(rest, "block")} more
        </Cut>
      )}
      {row.right.length > 0 && <div class="hatch" />}
    </>
  );
}

/** Shows the added tools by name only: that says enough. */
function Tools({ left, right, path }: { readonly left: BlockView; readonly right: BlockView; readonly path: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const known = new Set(left.text.split("\n"));
  const added = right.text.split("\n").filter((line) => !known.has(line));
  const names = added.map((line) => /"name":"([^"]{1,80})"/.exec(line)?.[1] ?? "a tool");
  if (isOpen) return <ChangedText left={left} right={right} path={path} isWhole={false} />;
  return (
    <>
      <div class="cells">
        <Side who="What the client sent">
          <BlockHead block={left} />
        </Side>
        <Side who="What was sent">
          <BlockHead block={right} tags={right.isCut ? [["ours are added", true]] : [[`+ ${names.join(", ")}`, true]]} />
        </Side>
      </div>
      <Cut onOpen={() => setOpen(true)}>The definitions</Cut>
    </>
  );
}

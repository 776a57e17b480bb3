import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BlockView, TextAnswer } from "../../answers.ts";
import { ApiError, read, request } from "../state/api.ts";
import { amount, bytes, counted } from "../words/numbers.ts";
import { Cut, TextLines, type LineMark } from "./text-lines.tsx";

const PIECE_CHARS = 64 * 1024;

export interface BlockBodyProps {
  readonly block: BlockView;
  /** The API path of the call. */
  readonly path: string;
  readonly mark?: LineMark;
  readonly isWhole?: boolean;
}

/** Shows the text of a block: its beginning and end first, the rest in pieces on request. */
export function BlockBody({ block, path, mark = "", isWhole = false }: BlockBodyProps): JSX.Element {
  const isProse = block.kind === "text" || block.kind === "thinking";
  const [text, setText] = useState(block.text);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState("");
  const isAll = !block.isCut || text.length >= block.chars;
  const open = (): void => {
    const from = isOpen ? text.length : 0;
    read<TextAnswer>(`${path}/text?id=${block.id}&from=${from}&limit=${PIECE_CHARS}`)
      .then((piece) => {
        setOpen(true);
        setText(from === 0 ? piece.text : text + piece.text);
      })
      .catch((error: unknown) => setProblem(error instanceof ApiError ? `${error.answer.message} ${error.answer.remedy}` : "The text could not be read."));
  };
  useEffect(() => {
    if (isWhole && block.isCut && !isOpen) open();
  }, [isWhole]);
  if (block.kind === "media" || (block.chars === 0 && block.media !== undefined)) return <Media block={block} path={path} />;
  if (isAll || isOpen)
    return (
      <>
        <TextLines text={text} mark={mark} isProse={isProse} isWhole={isWhole || isOpen} {...(mark === "o" ? { cutWord: "left out" } : {})} />
        {!isAll && (
          <Cut mark={mark} onOpen={open}>
            {bytes(Math.min(PIECE_CHARS, block.chars - text.length))} of {bytes(block.chars - text.length)} more
          </Cut>
        )}
        {block.media !== undefined && <Media block={block} path={path} />}
      </>
    );
  const start = block.text.split("\n").slice(0, 5).join("\n");
  const end = (block.tail ?? "").split("\n").slice(-3).join("\n");
  return (
    <>
      <TextLines text={start} mark={mark} isProse={isProse} />
      <Cut mark={mark} onOpen={open}>
        {block.lines > 10
          ? `${counted(block.lines - 8, "line")} ${mark === "o" ? "left out" : "more"}, ${bytes(block.chars)}`
          : `${amount(block.chars - start.length - end.length)} characters more`}
      </Cut>
      <TextLines text={end} mark={mark} isProse={isProse} />
      {problem !== "" && <p class="facts">{problem}</p>}
      {block.media !== undefined && <Media block={block} path={path} />}
    </>
  );
}

/** Loads images on request, from our own server, as bytes of a safe type. */
function Media({ block, path }: { readonly block: BlockView; readonly path: string }): JSX.Element {
  return (
    <>
      {block.media?.map((media) => (
        <Picture key={media.index} id={block.id} path={path} media={media} />
      ))}
    </>
  );
}

function Picture({
  id,
  path,
  media: { index, type, bytes: size, isShowable },
}: {
  readonly id: string;
  readonly path: string;
  readonly media: NonNullable<BlockView["media"]>[number];
}): JSX.Element {
  const [url, setUrl] = useState<string>();
  const [problem, setProblem] = useState("");
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const show = (): void => {
    request(`${path}/media?id=${id}&index=${index}`)
      .then(async (response) => setUrl(URL.createObjectURL(await response.blob())))
      .catch(() => setProblem("It could not be read."));
  };
  return (
    <div class="media">
      <span>
        {type}, {bytes(size)}
      </span>
      {isShowable && url === undefined && (
        <button type="button" class="btn s" onClick={show}>
          Show
        </button>
      )}
      {problem}
      {url !== undefined && <img src={url} alt={`An image of the conversation, ${type}`} />}
    </div>
  );
}

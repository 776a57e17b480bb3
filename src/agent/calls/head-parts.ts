import { hash64 } from "../../edits/edit-id.ts";
import { isRecord } from "../../errors/is-record.ts";

/** The kind of the note that holds a head, and of those that hold its parts. */
export const HEAD = "head";
export const HEAD_PART = "head-part";

/** The part of a request before its messages, as it is stored. Most of it is the same in every call. */
export interface PackedHead {
  readonly note: string;
  /** By hash. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Reads parts by their hashes. Unknown ones are left out of the result. */
export type ReadParts = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** A plain value; a part that is stored separately; fields; a list; a list cut into pieces; a text cut into pieces. */
type Node =
  | { readonly v: unknown }
  | { readonly p: string }
  | { readonly l: readonly Node[] }
  | { readonly c: readonly Node[] }
  | { readonly o: Readonly<Record<string, Node>> }
  | { readonly t: readonly Node[] };

/** Values up to this length as JSON are stored in one part. */
const WHOLE_CHARS = 4_000;
/** Values up to this length are stored inline, not by hash. */
const INLINE_CHARS = 200;
/** About how many lines a piece has, and how many characters at most: few long pieces take less room than many short ones, until one is changed. */
const LINES = { about: 8, mostChars: 2_000 };
const VALUES = { about: 16, mostChars: 40_000 };

export function packHead(head: object): PackedHead {
  const parts = new Map<string, string>();
  return { note: JSON.stringify({ palimpsestHead: 1, fields: packFields(head, parts) }), parts };
}

/** Returns the head that a note holds. Older notes contain the whole head. Undefined: it cannot be read, or a part is missing. */
export async function openHead(note: string, read: ReadParts): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const head: unknown = JSON.parse(note);
    if (!isRecord(head)) return undefined;
    if (head["palimpsestHead"] !== 1) return head;
    const root = head["fields"] as Node;
    const known = new Map<string, Node>();
    for (let wanted = partsIn(root); wanted.length > 0;) {
      const texts = await read(wanted);
      const nodes = wanted.map((hash) => [hash, JSON.parse(texts.get(hash) ?? "") as Node] as const);
      for (const [hash, node] of nodes) known.set(hash, node);
      wanted = [...new Set(nodes.flatMap(([, node]) => partsIn(node)))].filter((hash) => !known.has(hash));
    }
    const opened = open(root, known);
    return isRecord(opened) ? opened : undefined;
  } catch {
    return undefined;
  }
}

function pack(value: unknown, parts: Map<string, string>): Node {
  const isWhole = typeof value !== "object" && typeof value !== "string" ? true : JSON.stringify(value).length <= WHOLE_CHARS;
  if (isWhole) return stored({ v: value }, parts);
  if (typeof value === "string") {
    const lines = [...value.matchAll(/[^\n]*?(?:\n|\. |$)/g)].map(([line]) => line);
    return stored({ t: piecesOf(lines, (line) => line, LINES).map((piece) => stored({ v: piece.join("") }, parts)) }, parts);
  }
  if (Array.isArray(value)) {
    const nodes = value.map((each): Node => (JSON.stringify(each).length <= WHOLE_CHARS ? { v: each } : pack(each, parts)));
    return stored({ c: piecesOf(nodes, (node) => JSON.stringify(node), VALUES).map((piece) => stored({ l: piece }, parts)) }, parts);
  }
  return stored(packFields(value as object, parts), parts);
}

function packFields(value: object, parts: Map<string, string>): Node {
  return { o: Object.fromEntries(Object.entries(value as Readonly<Record<string, unknown>>).map(([name, each]) => [name, pack(each, parts)])) };
}

function stored(node: Node, parts: Map<string, string>): Node {
  const text = JSON.stringify(node);
  if (text.length <= INLINE_CHARS) return node;
  const hash = hash64(text);
  parts.set(hash, text);
  return { p: hash };
}

/** Cuts where the values themselves decide, so that a change in one piece leaves the other pieces as they were. */
function piecesOf<T>(values: readonly T[], textOf: (value: T) => string, { about, mostChars }: typeof LINES): T[][] {
  const pieces: T[][] = [];
  let piece: T[] = [];
  let chars = 0;
  for (const value of values) {
    const text = textOf(value);
    piece.push(value);
    chars += text.length;
    if (chars < mostChars && Number.parseInt(hash64(text).slice(-4), 16) % about !== 0) continue;
    pieces.push(piece);
    piece = [];
    chars = 0;
  }
  return piece.length === 0 ? pieces : [...pieces, piece];
}

function partsIn(node: Node): string[] {
  if ("p" in node) return [node.p];
  if ("v" in node) return [];
  const inner = "l" in node ? node.l : "c" in node ? node.c : "t" in node ? node.t : Object.values(node.o);
  return inner.flatMap(partsIn);
}

function open(node: Node, known: ReadonlyMap<string, Node>): unknown {
  if ("v" in node) return node.v;
  if ("p" in node) return open(known.get(node.p) as Node, known);
  if ("l" in node) return node.l.map((each) => open(each, known));
  if ("c" in node) return node.c.flatMap((piece) => open(piece, known));
  if ("t" in node) return node.t.map((each) => open(each, known)).join("");
  return Object.fromEntries(Object.entries(node.o).map(([name, each]) => [name, open(each, known)]));
}

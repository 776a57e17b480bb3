import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ContextPart } from "../../answers.ts";
import { amount, percent, short } from "../words/numbers.ts";
import { squarify, type Tile } from "./squarify.ts";

/** Shows the parts of a context by size. Each tile is labelled; small parts are in the table. */
export function TreeMap({ parts }: { readonly parts: readonly ContextPart[] }): JSX.Element {
  const box = useRef<HTMLUListElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      setSize({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const tiles = squarify(
    parts.map(({ tokens }) => tokens),
    size.width,
    size.height,
  );
  return (
    <ul ref={box} class="tm" aria-label="What fills the context, the largest first">
      {parts.map((part, number) => (
        <Cell key={part.label} part={part} tile={tiles[number]} total={total} />
      ))}
    </ul>
  );
}

function Cell({
  part: { label, detail, tokens, group },
  tile,
  total,
}: {
  readonly part: ContextPart;
  readonly tile: Tile | undefined;
  readonly total: number;
}): JSX.Element | null {
  if (tile === undefined) return null;
  const { x, y, width, height } = tile;
  const said = `${label}: ${amount(tokens)} tokens, ${percent(tokens / total)}${detail === "" ? "" : `, ${detail}`}`;
  const isRoomy = width > label.length * 7 + 16 && height > 26;
  return (
    <li
      class={Math.min(width, height) < 25 ? `${group} small` : group}
      style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
      title={said}
    >
      <span class="vh">{said}</span>
      {isRoomy && (
        <>
          <b aria-hidden="true">{label}</b>
          {height > 44 && (
            <span aria-hidden="true">
              {short(tokens)}
              {width > 96 && `, ${percent(tokens / total)}`}
            </span>
          )}
          {height > 64 && width > 130 && detail !== "" && <span aria-hidden="true">{detail}</span>}
        </>
      )}
    </li>
  );
}

export function ContextTable({ parts }: { readonly parts: readonly ContextPart[] }): JSX.Element {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="What fills the context, as a table">
      <table class="tbl">
        <thead>
          <tr>
            <th>What</th>
            <th>How many</th>
            <th class="num">Tokens</th>
            <th class="num">Share</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ label, detail, tokens }) => (
            <tr key={label}>
              <td>{label}</td>
              <td class="dim">{detail}</td>
              <td class="num">{amount(tokens)}</td>
              <td class="num">{percent(tokens / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

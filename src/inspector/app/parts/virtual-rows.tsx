import type { JSX } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Above this number of rows, only those near the window are in the page. */
const FEW = 120;
const OVERSCAN_PX = 900;

export interface VirtualRowsProps {
  readonly count: number;
  /** A stable key for each row. */
  readonly keyOf: (number: number) => string;
  readonly estimatedPx: number;
  readonly render: (number: number) => JSX.Element;
  /** Called with the rows that are in the page, so that they can be loaded. */
  readonly onShown?: (from: number, to: number) => void;
  readonly label: string;
  /** Scrolls this row into the window. */
  readonly reveal?: { readonly row: number; readonly count: number } | undefined;
}

/** Shows rows of any height that scroll with the page. A height is estimated until its row has been in the page. */
export function VirtualRows({ count, keyOf, estimatedPx, render, onShown, label, reveal }: VirtualRowsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const [range, setRange] = useState({ from: 0, to: Math.min(count, FEW) });
  const isFew = count <= FEW;

  const heightOf = (number: number): number => heights.current.get(keyOf(number)) ?? estimatedPx;
  const locate = useCallback((): void => {
    const box = list.current;
    if (box === null || isFew) return;
    const top = -box.getBoundingClientRect().top;
    const [first, last] = [top - OVERSCAN_PX, top + innerHeight + OVERSCAN_PX];
    let y = 0;
    let from = 0;
    while (from < count && y + heightOf(from) < first) y += heightOf(from++);
    let to = from;
    while (to < count && y < last) y += heightOf(to++);
    setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
  }, [count, keyOf, isFew]);

  useEffect(() => {
    let frame = 0;
    const onScroll = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(locate);
    };
    locate();
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("resize", onScroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", onScroll);
      removeEventListener("resize", onScroll);
    };
  }, [locate]);

  const observer = useRef<ResizeObserver | undefined>(undefined);
  observer.current ??= new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const { key } = (target as HTMLElement).dataset;
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (key !== undefined && height > 0) heights.current.set(key, height);
    }
  });
  useEffect(() => () => observer.current?.disconnect(), []);

  const { from, to } = isFew ? { from: 0, to: count } : { from: Math.min(range.from, count), to: Math.min(range.to, count) };
  useEffect(() => onShown?.(from, to), [from, to, count, onShown]);

  useLayoutEffect(() => {
    const box = list.current;
    if (reveal === undefined || box === null) return;
    const there = box.querySelector(`[data-key="${CSS.escape(keyOf(reveal.row))}"]`);
    if (there !== null) {
      there.scrollIntoView({ block: "center" });
      return;
    }
    let y = 0;
    for (let number = 0; number < reveal.row; number++) y += heightOf(number);
    scrollTo({ top: box.getBoundingClientRect().top + scrollY + y - innerHeight / 3 });
    // The rows around it have their real heights only after they are in the page.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => box.querySelector(`[data-key="${CSS.escape(keyOf(reveal.row))}"]`)?.scrollIntoView({ block: "center" })),
    );
  }, [reveal?.count]);

  let above = 0;
  for (let number = 0; number < from; number++) above += heightOf(number);
  let below = 0;
  for (let number = to; number < count; number++) below += heightOf(number);
  return (
    <div ref={list} class="rows" role="list" aria-label={label}>
      {above > 0 && <div role="presentation" style={{ height: `${above}px` }} />}
      {Array.from({ length: to - from }, (_, number) => (
        <Row key={keyOf(from + number)} id={keyOf(from + number)} number={from + number} count={count} observer={observer.current}>
          {render(from + number)}
        </Row>
      ))}
      {below > 0 && <div role="presentation" style={{ height: `${below}px` }} />}
    </div>
  );
}

function Row({
  id,
  number,
  count,
  observer,
  children,
}: {
  readonly id: string;
  readonly number: number;
  readonly count: number;
  readonly observer: ResizeObserver | undefined;
  readonly children: JSX.Element;
}): JSX.Element {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    observer?.observe(element);
    return () => observer?.unobserve(element);
  }, [observer]);
  return (
    <div ref={ref} role="listitem" aria-setsize={count} aria-posinset={number + 1} data-key={id}>
      {children}
    </div>
  );
}

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CallPoint, Mark } from "../../answers.ts";
import { iconPath } from "../parts/icon.tsx";
import { CacheLegend } from "../parts/cache-bar.tsx";
import { callPath, go } from "../state/route.ts";
import { amount, clock, duration, short, usd } from "../words/numbers.ts";
import { now } from "../words/now.ts";
import { MARK_WORDS } from "./call-words.ts";

const HEIGHT = 250;
const NARROW_HEIGHT = 190;
const LEAST_BAR_PX = 2;
const GLYPHS: Readonly<Record<Mark, Parameters<typeof iconPath>[0]>> = {
  digest: "digest",
  batch: "batch",
  compaction: "compaction",
  recall: "recall",
  pause: "pause",
  fault: "fault",
};

interface CallChartProps {
  readonly conversation: { readonly thread: string; readonly branch: string };
  /** The conversation's own calls, without side calls. */
  readonly calls: readonly CallPoint[];
}

/** Charts tokens per call: bars for the sent tokens, a dashed line for the full conversation. Where calls share a pixel, draws the largest. */
export function CallChart({ conversation, calls }: CallChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [cursor, setCursor] = useState<number>();
  const [isActive, setActive] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const isNarrow = width < 560;
  const [left, right] = isNarrow ? [38, 4] : [44, 74];
  const inner = Math.max(10, width - left - right);
  const bars = useMemo(() => bucketed(calls, Math.floor(inner / LEAST_BAR_PX)), [calls, inner]);
  const last = calls.at(-1);
  const at = cursor === undefined ? bars.length - 1 : Math.min(cursor, bars.length - 1);
  const call = bars[at]?.call;
  if (last === undefined) return <div ref={box} />;

  const height = isNarrow ? NARROW_HEIGHT : HEIGHT;
  const [lane, floor] = [isNarrow ? 40 : 44, height - 20];
  const most = Math.max(1, ...bars.map(({ call: { sent, full } }) => Math.max(sent, full))) * 1.04;
  const step = inner / bars.length;
  const gap = step > 4 ? 1 : step > 3 ? 0.5 : 0;
  const x = (number: number): number => left + number * step;
  const y = (tokens: number): number => floor - (tokens / most) * (floor - lane);
  const middle = (number: number): string => (x(number) + step / 2).toFixed(1);
  const bar = (from: (one: CallPoint) => number, tokens: (one: CallPoint) => number): string =>
    bars
      .map(({ call: one }, number) => {
        const value = tokens(one);
        if (value <= 0) return "";
        const top = y(from(one) + value);
        return `M${x(number).toFixed(2)} ${top.toFixed(1)}h${(step - gap).toFixed(2)}V${y(from(one)).toFixed(1)}h-${(step - gap).toFixed(2)}z`;
      })
      .join("");
  const line = (tokens: (one: CallPoint) => number): string =>
    bars.map(({ call: one }, number) => `${number === 0 ? "M" : "L"}${middle(number)} ${y(tokens(one)).toFixed(1)}`).join("");
  const back = bars
    .map(({ call: one }, number) => `L${middle(number)} ${y(one.sent).toFixed(1)}`)
    .reverse()
    .join("");
  const marks = placeMarks(bars, (number) => x(number) + step / 2 - gap / 2, isNarrow);

  const move = (to: number): void => setCursor(Math.max(0, Math.min(bars.length - 1, to)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    const by = steps[event.key];
    if (by !== undefined) {
      event.preventDefault();
      move(by === Infinity ? bars.length - 1 : by === -Infinity ? 0 : at + by);
    } else if (event.key === "Enter" && call !== undefined) go(callPath(conversation, call.sequence));
  };
  const onPointer = (event: PointerEvent): void => {
    const edge = box.current?.getBoundingClientRect().left ?? 0;
    setActive(true);
    move(Math.floor((event.clientX - edge - left) / step));
  };
  const first = calls[0] ?? last;
  return (
    <>
      <div class="readout" aria-live="polite">
        {call !== undefined && <Readout call={call} calls={bars[at]?.count ?? 1} />}
      </div>
      <div
        ref={box}
        class="chart"
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`Tokens per call, ${amount(calls.length)} calls: ${amount(first.sent)} to ${amount(last.sent)} sent, ${amount(first.full)} to ${amount(last.full)} without Palimpsest. Left and right arrows move the cursor, Enter opens the call.`}
        onKeyDown={onKeyDown}
        onFocus={() => setActive(true)}
        onBlur={() => setActive(false)}
        onPointerMove={onPointer}
        onPointerLeave={() => setActive(document.activeElement === box.current)}
        onClick={() => call !== undefined && go(callPath(conversation, call.sequence))}
      >
        {width > 0 && (
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {ticks(most).map((value) => (
              <g key={value}>
                <line class="rule" x1={left} x2={left + inner} y1={y(value)} y2={y(value)} />
                <text x={left - 8} y={y(value) + 4} text-anchor="end">
                  {value === 0 ? "0" : short(value).replace(".0", "")}
                </text>
              </g>
            ))}
            <path class="area" d={`${line(({ full }) => full)}${back}Z`} />
            <path
              class="read"
              d={bar(
                () => 0,
                ({ read }) => read,
              )}
            />
            <path
              class="write"
              d={bar(
                ({ read }) => read,
                ({ written }) => written,
              )}
            />
            <path
              class="miss"
              d={bar(
                ({ read, written }) => read + written,
                ({ uncached }) => uncached,
              )}
            />
            {marks.map(({ number, at: markX, row, mark, label, isLeft }) => {
              const top = isNarrow ? 4 + row * 18 : 4 + row * 16;
              const sent = bars[number]?.call.sent ?? 0;
              return (
                <g key={`${number}/${mark}`}>
                  <line class={mark === "pause" ? "stem pause" : "stem"} x1={markX} x2={markX} y1={top + 14} y2={Math.max(top + 14, y(sent) - 3)} />
                  <g transform={`translate(${(markX - 7).toFixed(1)} ${top})`}>
                    <rect class="badge" width="14" height="14" rx="3" />
                    <path class="glyph" transform="translate(2 2) scale(.625)" d={iconPath(GLYPHS[mark])} />
                  </g>
                  {label !== "" && (
                    <text class="m" x={markX + (isLeft ? -11 : 11)} y={top + 11} text-anchor={isLeft ? "end" : "start"}>
                      {label}
                    </text>
                  )}
                </g>
              );
            })}
            <path class="full" d={line(({ full }) => full)} />
            {callTicks(bars, isNarrow ? 3 : 6).map(({ number, label }, index) => (
              <text key={number} x={middle(number)} y={height - 4} text-anchor={index === 0 ? "start" : "middle"}>
                {label}
              </text>
            ))}
            {!isNarrow && <EndLabels last={last} x={left + inner + 8} y={y} />}
            {isActive && <line class="cur" x1={middle(at)} x2={middle(at)} y1={lane} y2={floor} />}
          </svg>
        )}
      </div>
      <div class="legend">
        <CacheLegend />
      </div>
    </>
  );
}

function Readout({ call, calls }: { readonly call: CallPoint; readonly calls: number }): JSX.Element {
  const { sequence, atMs, sent, read, written, uncached, full, dollars, fullDollars, pauseMs } = call;
  return (
    <>
      <b>Call {amount(sequence)}</b>
      {calls > 1 && <span>the largest of {amount(calls)}</span>}
      <span>{clock(atMs, now.value)}</span>
      <span>
        <b>{amount(sent)}</b> sent: {amount(read)} read, {amount(written)} written, {amount(uncached)} uncached
      </span>
      <span>{amount(full)} without us</span>
      <span>
        <b>{usd(dollars)}</b> instead of {usd(fullDollars)}
      </span>
      {pauseMs !== undefined && <span>after a pause of {duration(pauseMs)}</span>}
    </>
  );
}

function EndLabels({ last, x, y }: { readonly last: CallPoint; readonly x: number; readonly y: (tokens: number) => number }): JSX.Element {
  // The two labels must not overlap.
  const sent = Math.max(y(last.sent) + 1, y(last.full) + 34);
  const isApart = last.full - last.sent > last.full * 0.03;
  return (
    <>
      <text class="b" x={x} y={y(last.full) + 4}>
        {short(last.full)}
      </text>
      <text x={x} y={y(last.full) + 18}>
        {isApart ? "without us" : "sent"}
      </text>
      {isApart && (
        <>
          <text class="b" x={x} y={sent}>
            {short(last.sent)}
          </text>
          <text x={x} y={sent + 14}>
            sent
          </text>
        </>
      )}
    </>
  );
}

interface Bar {
  readonly call: CallPoint;
  readonly count: number;
  readonly marks: readonly { readonly mark: Mark; readonly call: CallPoint }[];
}

function bucketed(calls: readonly CallPoint[], most: number): readonly Bar[] {
  const size = Math.max(1, Math.ceil(calls.length / Math.max(1, most)));
  const bars: Bar[] = [];
  for (let from = 0; from < calls.length; from += size) {
    const group = calls.slice(from, from + size);
    const largest = group.reduce((max, call) => (call.sent > max.sent ? call : max));
    bars.push({ call: largest, count: group.length, marks: group.flatMap((call) => call.marks.map((mark) => ({ mark, call }))) });
  }
  return bars;
}

interface PlacedMark {
  readonly number: number;
  readonly at: number;
  readonly row: number;
  readonly mark: Mark;
  readonly label: string;
  readonly isLeft: boolean;
}

const IMPORTANCE: readonly Mark[] = ["fault", "compaction", "digest", "batch", "pause", "recall"];

/** Places marks in two rows without overlap. A mark without room is only in the table. */
function placeMarks(bars: readonly Bar[], x: (number: number) => number, isNarrow: boolean): readonly PlacedMark[] {
  const placed: PlacedMark[] = [];
  const ends = [-Infinity, -Infinity];
  bars.forEach(({ marks }, number) => {
    if (marks.length === 0) return;
    const sorted = [...new Set(marks.map(({ mark }) => mark))].sort((a, b) => IMPORTANCE.indexOf(a) - IMPORTANCE.indexOf(b));
    const [mark] = sorted;
    if (mark === undefined) return;
    const at = x(number);
    const row = ends.findIndex((end) => end + 4 <= at - 7);
    if (row === -1) return;
    const pause = marks.find((one) => one.mark === "pause")?.call.pauseMs;
    const words = sorted.map((one) => (one === "pause" && pause !== undefined ? `Pause ${duration(pause)}` : MARK_WORDS[one]));
    const label = isNarrow ? "" : words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(", ");
    placed.push({ number, at, row, mark, label, isLeft: false });
    ends[row] = at + 9 + label.length * 6;
  });
  return placed;
}

function ticks(most: number): readonly number[] {
  const rough = most / 3.5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power * 10;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, number) => number * step);
}

function callTicks(bars: readonly Bar[], wanted: number): readonly { readonly number: number; readonly label: string }[] {
  const { length } = bars;
  const step = Math.max(1, Math.round(length / wanted));
  const numbers = Array.from({ length: Math.ceil(length / step) }, (_, number) => number * step).filter(
    (number) => number < length - step * 0.6 || number === 0,
  );
  if (length > 1) numbers.push(length - 1);
  return numbers.map((number, index) => ({ number, label: `${index === 0 ? "call " : ""}${amount(bars[number]?.call.sequence ?? 0)}` }));
}

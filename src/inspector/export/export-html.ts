import { createHash } from "node:crypto";
import type { CallPoint, ConversationAnswer } from "../answers.ts";
import { isText, isToolUse } from "../../messages/message.ts";
import { alignRows, type PlacedBlock } from "../data/aligned-rows.ts";
import { gistOf, mediaIn, textOfBlock } from "../data/block-view.ts";
import { duration } from "../data/edit-events.ts";
import { maskKeys } from "../data/mask-keys.ts";
import type { StoredConversation } from "../data/shelf.ts";
import { escapeAttribute, escapeHtml } from "./escape-html.ts";
import { EXPORT_STYLE } from "./export-style.ts";

export interface ExportInput {
  readonly answer: ConversationAnswer;
  readonly calls: readonly CallPoint[];
  readonly conversation: StoredConversation;
  /** Contents are replaced by their sizes. */
  readonly isRedacted: boolean;
  readonly nowMs: number;
}

/** Yields a conversation as one HTML file without scripts or external resources, and with a policy that forbids both. */
export function* exportHtml({ answer, calls, conversation, isRedacted, nowMs }: ExportInput): Generator<string, void> {
  const { conversation: row, cost, saved, leftOut } = answer;
  const say = (text: string, what: string): string => (isRedacted ? `<em>${what}, ${count(text.length)} characters</em>` : escapeHtml(maskKeys(text)));
  const title = isRedacted ? "A conversation without its contents" : row.title;
  const hash = createHash("sha256").update(EXPORT_STYLE).digest("base64");
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer"><title>${escapeAttribute(title)} · Palimpsest</title><style>${EXPORT_STYLE}</style></head><body><main>
<h1>${isRedacted ? escapeHtml(title) : escapeHtml(maskKeys(title))}</h1>
<p class="meta">${[
    row.client.agent,
    row.model,
    row.policy === undefined ? undefined : `policy ${row.policy}`,
    `${count(calls.length)} calls`,
    `${moment(row.beganMs)} to ${moment(row.lastMs)}`,
  ]
    .filter((fact) => fact !== undefined)
    .map((fact) => `<span>${escapeHtml(fact)}</span>`)
    .join("")}</p>
<p class="note">Exported ${moment(nowMs)}. ${isRedacted ? "Contents are replaced by their sizes; names of tools, numbers and reasons are kept." : "Anything that looks like a key is masked."}</p>
<section class="three">`;
  yield figure(
    "What did it cost?",
    `${usd(cost.sum)} <small>instead of ${usd(row.total.fullDollars)}</small>`,
    cost.parts.map(({ label, value }) => [label, usd(value)]),
  );
  yield figure(
    "What was saved?",
    usd(row.total.fullDollars - row.total.dollars),
    saved.parts.map(({ label, value }) => [label, usd(value)]),
  );
  yield figure(
    "What was left out?",
    `${count(leftOut.sum)} tokens <small>of ${count(row.fullTokens)} at the last call</small>`,
    leftOut.parts.map(({ label, value }) => [label, count(value)]),
  );
  yield `</section><h2>Tokens per call</h2>${chart(calls)}<details><summary>${count(calls.length)} calls, as a table</summary><table><thead><tr><th>Call</th><th>Time</th><th>Sent</th><th>Full</th><th>Read</th><th>Written</th><th>Uncached</th><th>Cost</th><th>Edits</th><th>Because</th></tr></thead><tbody>`;
  for (const call of calls)
    yield `<tr><td>${call.sequence}</td><td>${moment(call.atMs)}</td>${[call.sent, call.full, call.read, call.written, call.uncached].map((value) => `<td class="n">${count(value)}</td>`).join("")}<td class="n">${usd(call.dollars)}</td><td class="n">${call.edits}</td><td>${escapeHtml(call.because ?? call.nothing ?? call.kind)}${call.pauseMs === undefined ? "" : `, after a pause of ${duration(call.pauseMs)}`}</td></tr>\n`;
  yield `</tbody></table></details><h2>What was said, and how it is shown now</h2>`;
  const { log, edits } = conversation;
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  for (const { left, right, edits: ids, type } of alignRows({ log, edits, upTo: log.length, end: log.length, target: {}, ownTools: [] })) {
    const cards = ids.flatMap((id) => byId.get(id) ?? []);
    const notes = cards
      .map(
        (edit) =>
          `<p class="edit"><b>${escapeHtml(edit.pass)}</b> ${isRedacted ? "" : escapeHtml(edit.reason)} <span>${count(edit.tokensBefore)} → ${count(edit.tokensAfter)} tokens${edit.handle === undefined ? "" : `, handle ${escapeHtml(edit.handle)}`}</span></p>`,
      )
      .join("");
    if (type === "same") {
      yield left.map((one) => block(one, say, isRedacted)).join("");
      continue;
    }
    const originals = left.map((one) => block(one, say, isRedacted)).join("");
    const shown = right.map((one) => block(one, say, isRedacted)).join("");
    yield `<div class="pair">${notes}${originals === "" ? "" : `<details><summary>The original, ${count(left.length)} ${left.length === 1 ? "block" : "blocks"}</summary>${originals}</details>`}${shown === "" ? '<p class="out">Left out.</p>' : shown}</div>\n`;
  }
  yield "</main></body></html>\n";
}

function block({ role, block: one, position, number }: PlacedBlock, say: (text: string, what: string) => string, isRedacted: boolean): string {
  const name = isToolUse(one) ? one.name : one.type;
  const gist = isToolUse(one) && !isRedacted ? escapeHtml(maskKeys(gistOf(one.input))) : "";
  const media = mediaIn(one)
    .map(({ type, data }) => `<p><em>${escapeHtml(type)}, ${count(Math.floor((data.length * 3) / 4))} bytes</em></p>`)
    .join("");
  const text = textOfBlock(one);
  const body = text === "" ? "" : `<pre dir="auto">${say(text, isText(one) ? "text" : name)}</pre>`;
  return `<article class="${role === "user" ? "user" : role === "assistant" ? "assistant" : "system"}"><h3><span>${role}</span> <code>${escapeHtml(name)}</code> ${gist}<small>${position < 0 ? "not in the log" : `${position}.${number}`}</small></h3>${body}${media}</article>\n`;
}

function figure(question: string, answer: string, parts: readonly (readonly [string, string])[]): string {
  const list = parts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${value}</dd>`).join("");
  return `<div><h2>${question}</h2><p class="big">${answer}</p><dl>${list}</dl></div>`;
}

function chart(calls: readonly CallPoint[]): string {
  const own = calls.filter(({ kind }) => kind === "conversation");
  const [width, height] = [1_000, 180];
  const most = own.reduce((max, { full, sent }) => Math.max(max, full, sent), 1);
  const x = (number: number): string => ((number / Math.max(1, own.length)) * width).toFixed(2);
  const y = (tokens: number): string => (height - (tokens / most) * height).toFixed(1);
  const step = width / Math.max(1, own.length);
  const bars = own.map(({ sent }, number) => `M${x(number)} ${height}V${y(sent)}h${(step * 0.9).toFixed(2)}V${height}z`).join("");
  const line = own.map(({ full }, number) => `${number === 0 ? "M" : "L"}${x(number + 0.5)} ${y(full)}`).join("");
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Tokens per call: bars are what was sent, the dashed line is what would have been sent"><path class="sent" d="${bars}"/><path class="full" d="${line}"/></svg>`;
}

function usd(dollars: number): string {
  const sign = dollars < 0 ? "−" : "";
  return `${sign}$${Math.abs(dollars).toFixed(Math.abs(dollars) < 0.1 && dollars !== 0 ? 3 : 2)}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function moment(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}

/** They apply to one connection only, and are never forwarded. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Ours, not the provider's. */
const OWN_PREFIX = "x-palimpsest-";

/** As in Node's `rawHeaders`: name, value, name, value … with the client's own spelling, order and repetitions. */
export type RawHeaders = readonly string[];

/** `undefined`: the header is removed. */
export type HeaderChanges = Readonly<Record<string, string | undefined>>;

/** Returns the headers that go upstream. `changes`, by lower-case name, replace the client's headers or are added. */
export function requestHeaders(raw: RawHeaders, changes: HeaderChanges): string[] {
  return changed(raw, (name) => name.startsWith(OWN_PREFIX) || name === "expect" /* Answered by this server; the body is here or on its way. */, changes);
}

/** Returns the headers of a request that another thread of this proxy answers. It reads ours itself, so they stay. */
export function forwardedHeaders(raw: RawHeaders, changes: HeaderChanges): string[] {
  return changed(raw, (name) => name === "expect", changes);
}

/** Returns the headers that the client gets. */
export function answerHeaders(raw: RawHeaders, changes: HeaderChanges): string[] {
  return changed(raw, () => false, changes);
}

function changed(raw: RawHeaders, isDropped: (name: string) => boolean, changes: HeaderChanges): string[] {
  const named = namedByConnection(raw);
  const kept: string[] = [];
  const written = new Set<string>();
  for (const [name, value] of pairsOf(raw)) {
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named.has(lower) || isDropped(lower)) continue;
    if (!Object.hasOwn(changes, lower)) {
      kept.push(name, value);
      continue;
    }
    const replaced = changes[lower];
    if (replaced !== undefined && !written.has(lower)) kept.push(name, replaced);
    written.add(lower);
  }
  for (const [name, value] of Object.entries(changes)) if (value !== undefined && !written.has(name)) kept.push(name, value);
  return kept;
}

function* pairsOf(raw: RawHeaders): Generator<readonly [name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? "", raw[at + 1] ?? ""];
}

function namedByConnection(raw: RawHeaders): Set<string> {
  const names = [...pairsOf(raw)].filter(([name]) => name.toLowerCase() === "connection").flatMap(([, value]) => value.split(","));
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

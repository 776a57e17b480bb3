import { equalJson, keysOf } from "./equal-json.ts";
import { membersAt, skipSpace, type MemberSpan, type Span } from "./json-spans.ts";
import { Place } from "./place.ts";
import { SpanIndex } from "./span-index.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns `to` as JSON. Every part of `to` that is unchanged from `from` keeps its bytes in `raw`, which `from` was parsed from: key order, `1.0`,
 * integers too large for a double, escapes and white space. Without a change it returns `raw` itself.
 */
export function spliceBody(raw: Buffer, from: Fields, to: Fields, members: readonly MemberSpan[] = membersOf(raw)): Buffer {
  if (from === to) return raw;
  const splicer = new BodySplicer(raw);
  splicer.writeObject(from, to, members);
  return splicer.result();
}

class BodySplicer {
  readonly #raw: Buffer;
  readonly #pieces: Buffer[] = [];
  /** The raw bytes to be written next: neighbours are written together. */
  #start = 0;
  #end = 0;

  constructor(raw: Buffer) {
    this.#raw = raw;
  }

  result(): Buffer {
    this.#flush();
    const [only] = this.#pieces;
    return only !== undefined && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
  }

  /** Writes the outermost object, with the white space around it. */
  writeObject(from: Fields, to: Fields, members: readonly MemberSpan[]): void {
    const start = skipSpace(this.#raw, 0);
    const end = this.#raw.lastIndexOf("}") + 1;
    const last = new Map(members.map((member) => [member.key, member]));
    const kept = members.filter(({ key }) => hasValue(to, key));
    // The client's white space between members is kept only if all of them are.
    const isWhole = kept.length === members.length;
    this.#keep(0, start + 1);
    let at = start + 1;
    kept.forEach((member, index) => {
      if (isWhole) this.#keep(at, member.start);
      else if (index > 0) this.#write(",");
      this.#writeMember(member, last.get(member.key) === member, from, to);
      at = member.value.end;
    });
    const added = keysOf(to).filter((key) => !last.has(key));
    for (const [index, key] of added.entries()) this.#write(`${kept.length + index > 0 ? "," : ""}${JSON.stringify(key)}:${json(to[key])}`);
    this.#keep(isWhole ? at : end - 1, this.#raw.length);
  }

  #writeMember({ key, start, value, elements }: MemberSpan, counts: boolean, from: Fields, to: Fields): void {
    this.#keep(start, value.start);
    const [before, after] = [from[key], to[key]];
    if (!counts || before === after) this.#keepSpan(value);
    else if (elements !== undefined && Array.isArray(before) && Array.isArray(after)) this.#writeList(value, elements, before, after);
    else if (equalJson(before, after)) this.#keepSpan(value);
    else this.#write(json(after));
  }

  #writeList({ start, end }: Span, elements: readonly Span[], from: readonly unknown[], to: readonly unknown[]): void {
    const sources = sourcesOf(this.#raw, from, to, elements);
    if (to.length === elements.length && sources.every((source, index) => source === index)) return this.#keep(start, end);
    if (sources[0] === 0) this.#keep(start, elements[0]?.start ?? start);
    else this.#write("[");
    const rest = this.#indexOf(from, elements, sources);
    /** The number of the element that was written last, if it is one of the old list. */
    let before: number | undefined;
    to.forEach((element, index) => {
      const source = sources[index];
      const span = source === undefined ? undefined : elements[source];
      if (before !== undefined && span !== undefined && source === before + 1) this.#keep(elements[before]?.end ?? 0, span.start);
      else if (index > 0) this.#write(",");
      if (span === undefined) this.#writeChanged(element, rest);
      else this.#keepSpan(span);
      before = source;
    });
    if (before !== undefined && before === elements.length - 1) this.#keep(elements[before]?.end ?? end, end);
    else this.#write("]");
  }

  /** Indexes the contents of changed elements: most blocks of a changed message are still the same. */
  #indexOf(from: readonly unknown[], elements: readonly Span[], sources: readonly (number | undefined)[]): SpanIndex | undefined {
    if (!sources.includes(undefined)) return undefined;
    const used = new Set(sources);
    const index = new SpanIndex();
    elements.forEach((element, number) => {
      if (!used.has(number)) index.addAll(from[number], Place.at(this.#raw, element));
    });
    return index;
  }

  #writeChanged(value: unknown, rest: SpanIndex | undefined): void {
    if (rest === undefined || typeof value !== "object" || value === null) return this.#write(json(value));
    const known = rest.find(value);
    if (known !== undefined) return this.#keepSpan(known);
    if (Array.isArray(value)) {
      value.forEach((element, index) => {
        this.#write(index === 0 ? "[" : ",");
        this.#writeChanged(element, rest);
      });
      return this.#write(value.length === 0 ? "[]" : "]");
    }
    const fields = value as Fields;
    const keys = keysOf(fields);
    keys.forEach((key, index) => {
      this.#write(`${index === 0 ? "{" : ","}${JSON.stringify(key)}:`);
      this.#writeChanged(fields[key], rest);
    });
    return this.#write(keys.length === 0 ? "{}" : "}");
  }

  #keepSpan({ start, end }: Span): void {
    this.#keep(start, end);
  }

  #keep(start: number, end: number): void {
    if (start === end) return;
    if (this.#end !== start) {
      this.#flush();
      this.#start = start;
    }
    this.#end = end;
  }

  #write(text: string): void {
    this.#flush();
    this.#pieces.push(Buffer.from(text));
  }

  #flush(): void {
    if (this.#end > this.#start) this.#pieces.push(this.#raw.subarray(this.#start, this.#end));
    this.#start = this.#end = 0;
  }
}

/** Returns the number that each element of the new list had in the old one, as the same or an equal object. Most are still in order. */
function sourcesOf(raw: Buffer, from: readonly unknown[], to: readonly unknown[], elements: readonly Span[]): (number | undefined)[] {
  let same: Map<unknown, number> | undefined;
  let hasOwn: boolean | undefined;
  let alike: SpanIndex | undefined;
  let order: Map<Span | undefined, number> | undefined;
  let next = 0;
  return to.map((element, index) => {
    if (typeof element !== "object" || element === null) return from[index] === element && index < elements.length ? index : undefined;
    if (next < from.length && equalJson(from[next], element)) return next++;
    same ??= new Map(from.map((each, number) => [each, number]));
    const number = same.get(element);
    if (number !== undefined) {
      next = number + 1;
      return number;
    }
    // If some are the client's own objects, any other one was changed. Messages keep their order: those before were looked at.
    hasOwn ??= to.some((each) => same?.has(each));
    if (!hasOwn) alike ??= indexFrom(next, raw, from, elements);
    const found = alike?.find(element);
    if (found === undefined) {
      // Probably only this one was changed.
      next++;
      return undefined;
    }
    order ??= new Map(elements.map((span, each) => [span, each]));
    const place = order.get(found);
    next = (place ?? 0) + 1;
    return place;
  });
}

function indexFrom(start: number, raw: Buffer, from: readonly unknown[], elements: readonly Span[]): SpanIndex {
  const index = new SpanIndex();
  for (let number = start; number < from.length; number++) {
    const element = from[number];
    const span = elements[number];
    if (span !== undefined && typeof element === "object" && element !== null) index.add(element, Place.at(raw, span));
  }
  return index;
}

function membersOf(raw: Buffer): readonly MemberSpan[] {
  return membersAt(raw, skipSpace(raw, 0)).members;
}

function hasValue(fields: Fields, key: string): boolean {
  return Object.hasOwn(fields, key) && fields[key] !== undefined;
}

/** In a list, what JSON does not have becomes null. In an object it is left out before. */
function json(value: unknown): string {
  return JSON.stringify(value ?? null);
}

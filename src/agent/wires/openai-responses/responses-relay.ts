import { isRecord } from "../../../errors/is-record.ts";
import type { Answer, Relay } from "../../front-end/wire.ts";
import { fieldsOf, type JsonFields } from "../json-fields.ts";
import { isHiddenItem, mergeResponsesAnswers, readResponsesAnswer, withoutHiddenTools, withShownId } from "./responses-answer.ts";
import { ResponsesAccumulator } from "./responses-accumulator.ts";
import { ReadAnswers } from "../read-answers.ts";
import { ShownIds } from "../shown-ids.ts";
import type { MergeUsage } from "../sum-counts.ts";

export class ResponsesRelay implements Relay<object> {
  readonly #isHidden: (toolName: string) => boolean;
  readonly #mergeUsage: MergeUsage;
  readonly #answers = new ReadAnswers(() => new ResponsesAccumulator());
  readonly #ids = new ShownIds();
  /** Indexes under which the client sees the items of the current answer, unless hidden. */
  #places = new Map<unknown, number | "hidden">();
  readonly #hiddenIds = new Set<unknown>();
  #shownItems = 0;
  /** The id under which the client knows the response: SDKs refuse one that changes its id during the stream. */
  #firstId: unknown;
  #nextNumber: number | undefined;
  #held: JsonFields | undefined;

  constructor(isHidden: (toolName: string) => boolean, mergeUsage: MergeUsage) {
    this.#isHidden = isHidden;
    this.#mergeUsage = mergeUsage;
  }

  relay(event: object): readonly object[] {
    const fields = fieldsOf(event);
    this.#answers.current.add(fields);
    switch (fields["type"]) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        return this.#answers.isContinued ? [] : [this.#numbered(this.#beginning(fields))];
      case "response.completed":
      case "response.incomplete":
        this.#held = fields;
        return [];
      case "response.failed":
        return [this.#numbered(this.#closing(fields))];
      default:
        return this.#relayPiece(fields).map((piece) => this.#numbered(piece));
    }
  }

  answer(): Answer | undefined {
    return this.#answers.read(readResponsesAnswer);
  }

  continue(): void {
    this.#answers.continue();
    this.#places = new Map();
    this.#ids.continue();
    this.#held = undefined;
  }

  end(): readonly object[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [this.#numbered(this.#closing(held))];
  }

  #beginning(event: JsonFields): JsonFields {
    const before = fieldsOf(event["response"]);
    this.#firstId ??= before["id"];
    const response = withoutHiddenTools(before, this.#isHidden);
    return response === before ? event : { ...event, response };
  }

  #relayPiece(event: JsonFields): readonly JsonFields[] {
    const { output_index: index, item_id: id, item } = event;
    if (index === undefined) return id !== undefined && this.#hiddenIds.has(id) ? [] : [event];
    const place = this.#places.get(index) ?? this.#placeFor(fieldsOf(item));
    this.#places.set(index, place);
    return place === "hidden" ? [] : [this.#placed(event, place)];
  }

  #placeFor(item: JsonFields): number | "hidden" {
    if (!isHiddenItem(item, this.#isHidden)) return this.#shownItems++;
    this.#hiddenIds.add(item["id"]);
    return "hidden";
  }

  #placed(event: JsonFields, place: number): JsonFields {
    const { item, item_id: id } = event;
    const shownItem = isRecord(item) ? withShownId(item, this.#ids) : item;
    const shownId = typeof id === "string" ? this.#ids.show(id) : id;
    if (event["output_index"] === place && shownItem === item && shownId === id) return event;
    return { ...event, output_index: place, ...(item === undefined ? {} : { item: shownItem }), ...(id === undefined ? {} : { item_id: shownId }) };
  }

  /** Returns the end of the last answer as the end of all of them. */
  #closing(event: JsonFields): JsonFields {
    const { before, current, isContinued } = this.#answers;
    const last = current.withOutput(fieldsOf(event["response"]));
    const response = fieldsOf(mergeResponsesAnswers([...before, last], this.#isHidden, this.#mergeUsage));
    if (isContinued && this.#firstId !== undefined) return { ...event, response: { ...response, id: this.#firstId } };
    return response === event["response"] ? event : { ...event, response };
  }

  #numbered(event: JsonFields): JsonFields {
    const { sequence_number: number } = event;
    if (typeof number !== "number") return event;
    const shown = this.#nextNumber ?? number;
    this.#nextNumber = shown + 1;
    return shown === number ? event : { ...event, sequence_number: shown };
  }
}

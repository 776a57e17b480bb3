import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";

/** The response that a stream ends with. It is whole there, but some servers leave its items to the events before it. */
export class ResponsesAccumulator {
  readonly #items = new Map<unknown, JsonFields>();
  #response: JsonFields | undefined;
  #hasFailed = false;

  add(event: JsonFields): void {
    switch (event["type"]) {
      case "response.output_item.done":
        this.#items.set(event["output_index"], fieldsOf(event["item"]));
        break;
      case "response.completed":
      case "response.incomplete":
        this.#response = fieldsOf(event["response"]);
        break;
      case "response.failed":
      case "error":
        this.#hasFailed = true;
        break;
      default:
    }
  }

  /** Undefined unless all of it has come. */
  response(): JsonFields | undefined {
    return this.#hasFailed || this.#response === undefined ? undefined : this.withOutput(this.#response);
  }

  withOutput(response: JsonFields): JsonFields {
    return objectsIn(response["output"]).length > 0 || this.#items.size === 0 ? response : { ...response, output: [...this.#items.values()] };
  }
}

import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";

/** Reads the response that ends a stream. It should be complete, but some servers send its items only in earlier events. */
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

  /** Undefined until it is complete. */
  result(): JsonFields | undefined {
    return this.#hasFailed || this.#response === undefined ? undefined : this.withOutput(this.#response);
  }

  withOutput(response: JsonFields): JsonFields {
    return objectsIn(response["output"]).length > 0 || this.#items.size === 0 ? response : { ...response, output: [...this.#items.values()] };
  }
}

import { refusal } from "./refusal.ts";

/** The query parameters of a request. Throws on values that cannot be meant. */
export class Query {
  readonly #params: URLSearchParams;

  constructor(params: URLSearchParams) {
    this.#params = params;
  }

  text(name: string, most = 2_000): string | undefined {
    const value = this.#params.get(name);
    if (value === null || value === "") return undefined;
    if (value.length > most) throw wrong(name, `at most ${most} characters`);
    return value;
  }

  count(name: string, usual: number, most: number): number {
    const value = this.#params.get(name);
    if (value === null || value === "") return usual;
    if (!/^\d{1,15}$/.test(value)) throw wrong(name, "a whole number");
    return Math.min(Number(value), most);
  }

  oneOf<T extends string>(name: string, names: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const known = names.find((one) => one === value);
    if (known === undefined) throw wrong(name, `one of ${names.join(", ")}`);
    return known;
  }
}

function wrong(name: string, expected: string): Error {
  return refusal(
    400,
    "QUERY_INVALID",
    `The parameter ${name} of this address is not valid: it must be ${expected}.`,
    "Go back and follow the links of the page.",
  );
}

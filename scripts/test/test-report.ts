import { basename } from "node:path";
import { spec, type TestEvent } from "node:test/reporters";

/** What is printed: failures, every test, failures and the times of files, or only names. */
export type View = "failures" | "all" | "times" | "names";

/** Events to print, so that failures look as in Node's own report and passed tests are not printed. */
const OF_FAILURES: ReadonlySet<string> = new Set(["test:fail", "test:diagnostic", "test:stdout", "test:stderr", "test:summary"]);

const SLOWEST = 25;

/** Prints the events of a run as they arrive, and counts them. */
export class TestReport {
  readonly #view: View;
  readonly #pathOf: (file: string) => string;
  readonly #spec = new spec();
  /** Names of the suites around a test. */
  readonly #around: string[] = [];
  readonly #names: string[] = [];
  readonly #msOf = new Map<string, number>();
  #failures = 0;

  constructor(view: View, pathOf: (file: string) => string) {
    this.#view = view;
    this.#pathOf = pathOf;
    if (view !== "names") this.#spec.pipe(process.stdout);
  }

  add(event: TestEvent): void {
    this.#count(event);
    if (this.#view === "names") return;
    if (this.#view === "all") this.#spec.write(event);
    else if (event.type === "test:summary" && event.data.file !== undefined) {
      const { file, counts, duration_ms: ms, success } = event.data;
      console.log(`${success ? "✔" : "✖"} ${basename(file, ".mjs")}: ${counts.tests.toLocaleString("en-US")} tests in ${(ms / 1000).toFixed(1)} s`);
    } else if (OF_FAILURES.has(event.type)) this.#spec.write(event);
  }

  /** Prints the summary. Returns the exit code. */
  async finish(again: string): Promise<number> {
    const written = Promise.withResolvers<undefined>();
    this.#spec.on("end", () => written.resolve(undefined)).end();
    if (this.#view === "names") for (const name of this.#names.toSorted()) console.log(name);
    else await written.promise;
    if (this.#view === "times") this.#printTimes();
    if (this.#failures > 0) console.error(`\nTo repeat these random cases: ${again} npm test`);
    return this.#failures === 0 ? 0 : 1;
  }

  #count({ type, data }: TestEvent): void {
    if (type === "test:start") {
      this.#around.length = data.nesting;
      this.#around.push(data.name);
    } else if (type === "test:pass" || type === "test:fail") {
      const file = data.file === undefined ? "" : this.#pathOf(data.file);
      if (data.nesting === 0) this.#msOf.set(file, (this.#msOf.get(file) ?? 0) + data.details.duration_ms);
      if (data.details.type !== "suite") this.#names.push([file, ...this.#around.slice(0, data.nesting), data.name].join(" > ").replaceAll("\n", "\\n"));
      if (type === "test:fail" && data.todo === undefined) this.#failures += 1;
    }
  }

  #printTimes(): void {
    const files = [...this.#msOf].sort(([, a], [, b]) => b - a);
    console.log(`\nThe ${Math.min(SLOWEST, files.length)} slowest of ${files.length} files, in seconds (two run at a time):`);
    for (const [file, ms] of files.slice(0, SLOWEST)) console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`);
  }
}

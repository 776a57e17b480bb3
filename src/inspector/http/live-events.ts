import type { ServerResponse } from "node:http";
import type { LiveEvents } from "../answers.ts";
import { keyOf, type Shelf } from "../data/shelf.ts";
import { headersOf } from "./respond.ts";
import { refusal, refusalOf } from "./refusal.ts";

export type OnChange = (listener: () => void) => () => void;

const POLL_MS = 2_000;
/** Calls that end together are reported together. A record is written a moment after its call ends, so the feed looks twice. */
const LOOKS_MS = [60, 600] as const;
const ALIVE_MS = 15_000;
const NEWEST = 30;

/** Sends changes to the pages. Reads the newest conversations on each reported change, or else every two seconds while a page listens. */
export class LiveFeed {
  readonly #shelf: () => Promise<Shelf>;
  readonly #onChange: OnChange | undefined;
  readonly #listeners = new Set<ServerResponse>();
  #stop: (() => void) | undefined;
  #known = new Map<string, string>();
  #wasDemo: boolean | undefined;
  #looking: Promise<void> | undefined;
  #isAgain = false;
  #trouble = "";
  #isClosed = false;

  constructor(shelf: () => Promise<Shelf>, onChange: OnChange | undefined) {
    this.#shelf = shelf;
    this.#onChange = onChange;
  }

  async listen(response: ServerResponse): Promise<void> {
    if (this.#isClosed) {
      // A page reconnects at once, which would keep the server from closing.
      response.setHeader("connection", "close");
      throw refusal(503, "STOPPING", "The server is stopping.", "Start it again.");
    }
    // The page has already loaded everything that exists now.
    if (this.#listeners.size === 0) {
      this.#known = new Map();
      this.#wasDemo = undefined;
      await this.#look(true);
      this.#begin();
    }
    response.writeHead(200, { ...headersOf("text/event-stream; charset=utf-8"), connection: "keep-alive", "x-accel-buffering": "no" });
    response.write("retry: 2000\n: hello\n\n");
    this.#listeners.add(response);
    const alive = setInterval(() => response.write(": alive\n\n"), ALIVE_MS);
    alive.unref();
    response.on("close", () => {
      clearInterval(alive);
      this.#listeners.delete(response);
      if (this.#listeners.size === 0) this.#end();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
    for (const response of this.#listeners) response.end();
  }

  #begin(): void {
    if (this.#stop !== undefined) return;
    if (this.#onChange !== undefined) {
      const timers = new Map<number, NodeJS.Timeout>();
      const off = this.#onChange(() => {
        for (const ms of LOOKS_MS) {
          if (timers.has(ms)) continue;
          const look = (): void => {
            timers.delete(ms);
            void this.#look(false);
          };
          timers.set(ms, setTimeout(look, ms).unref());
        }
      });
      this.#stop = () => {
        for (const timer of timers.values()) clearTimeout(timer);
        off();
      };
      return;
    }
    const timer = setInterval(() => void this.#look(false), POLL_MS);
    timer.unref();
    this.#stop = () => clearInterval(timer);
  }

  #end(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Runs one look at a time; changes that arrive meanwhile cause one more. */
  #look(isFirst: boolean): Promise<void> {
    if (this.#looking !== undefined) {
      this.#isAgain = true;
      return this.#looking;
    }
    this.#looking = this.#tell(isFirst).finally(() => {
      this.#looking = undefined;
      if (!this.#isAgain) return;
      this.#isAgain = false;
      void this.#look(false);
    });
    return this.#looking;
  }

  async #tell(isFirst: boolean): Promise<void> {
    try {
      const shelf = await this.#shelf();
      if (this.#wasDemo !== undefined && this.#wasDemo !== shelf.isDemo) this.#send("demo", { isDemo: shelf.isDemo });
      this.#wasDemo = shelf.isDemo;
      for (const { about } of (await shelf.abouts(NEWEST)).toReversed()) {
        const state = `${about.lastMs}/${about.calls}/${about.sideCalls}/${about.messages}`;
        if (this.#known.get(keyOf(about)) === state) continue;
        this.#known.set(keyOf(about), state);
        if (!isFirst) this.#send("conversation", await shelf.row(about));
      }
      if (this.#known.size > NEWEST * 20) this.#known = new Map([...this.#known].slice(-NEWEST * 10));
      if (this.#trouble !== "") this.#send("well", {});
      this.#trouble = "";
    } catch (error) {
      const { body } = refusalOf(error);
      // Report it once, not every two seconds.
      if (this.#trouble !== body.error.message) this.#send("trouble", body);
      this.#trouble = body.error.message;
    }
  }

  #send<K extends keyof LiveEvents>(event: K, data: LiveEvents[K]): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const response of this.#listeners) response.write(text);
  }
}

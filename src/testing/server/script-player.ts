import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { Protocol, Script, SeenRequest, Turn } from "../protocol.ts";

/** Returns the turns of a script, one by one. */
export interface ScriptPlayer {
  replace(script: Script): void;
  /** Returns the turn for a request. `isFailing`: a requested fault replaces it, so the next request gets the same turn. */
  next(body: SeenRequest["body"], read: Protocol["read"], isFailing: boolean): Promise<Turn>;
}

export function createScriptPlayer(first: Script): ScriptPlayer {
  let script = first;
  let position = 0;
  let answered = 0;
  return {
    replace(next) {
      script = next;
      position = 0;
    },
    async next(body, read, isFailing) {
      const request = read(body, answered);
      const played = position;
      if (!isFailing) {
        answered += 1;
        position += 1;
      }
      if (typeof script === "function") return script(request);
      const turn = script[played];
      if (turn === undefined)
        throw new PalimpsestError(
          "INVALID_INPUT",
          `The script of the provider double has ${script.length} turns, and no turn for request number ${played + 1}.`,
          {
            path: "script",
            expected: `a turn for request number ${played + 1}`,
            found: script.length,
          },
        );
      return turn;
    },
  };
}

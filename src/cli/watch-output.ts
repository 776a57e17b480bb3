import { setImmediate as loopTurn } from "node:timers/promises";
import type { OutputStream } from "./command-io.ts";

/** Follows what becomes of what is written to a stream. */
export interface WatchedOutput {
  /** Waits until everything is written, and returns what went wrong. A reader that has seen enough (`palimpsest demo | head`) is no failure. */
  written(): Promise<Error | undefined>;
  /** Waits until everything is written, and stops watching. */
  end(): Promise<void>;
}

export function watchOutput(stream: OutputStream): WatchedOutput {
  let failure: NodeJS.ErrnoException | undefined;
  const onError = (error: NodeJS.ErrnoException): void => {
    failure ??= error;
  };
  stream.on("error", onError);
  const written = async (): Promise<Error | undefined> => {
    await new Promise<void>((resolve) => void stream.write("", () => resolve()));
    // Callbacks of a write hear of a failure before those who listen for errors.
    await loopTurn();
    return failure?.code === "EPIPE" ? undefined : failure;
  };
  const end = async (): Promise<void> => {
    await written();
    stream.off("error", onError);
  };
  return { written, end };
}

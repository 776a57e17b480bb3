import { setImmediate as loopTurn } from "node:timers/promises";
import type { OutputStream } from "./command-io.ts";

/** Watches whether a stream writes its output, and how that fails. */
export interface WatchedOutput {
  /** Waits until everything is written, and returns what went wrong. A reader that stops early (`palimpsest demo | head`) is not a failure. */
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
    // The callback of a write learns of a failure before the stream emits `error`.
    await loopTurn();
    return failure?.code === "EPIPE" ? undefined : failure;
  };
  const end = async (): Promise<void> => {
    await written();
    stream.off("error", onError);
  };
  return { written, end };
}

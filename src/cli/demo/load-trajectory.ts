import { readFileSync } from "node:fs";
import type { Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseMessages } from "../../messages/parse-messages.ts";
import { CliError } from "../cli-error.ts";

/** `src/cli/demo` and `dist/cli/demo` are equally deep, so one relative path serves both. */
const TRAJECTORY = new URL("../../../assets/trajectory.json", import.meta.url);

/** A recorded session, as it would be sent with the next request. */
export interface Trajectory {
  readonly description: string;
  readonly messages: readonly Message[];
}

export function loadTrajectory(): Trajectory {
  const value = readBundled();
  if (!isRecord(value) || typeof value["description"] !== "string") throw unreadable();
  return { description: value["description"], messages: parseMessages(value["messages"]) };
}

function readBundled(): unknown {
  try {
    return JSON.parse(readFileSync(TRAJECTORY, "utf8"));
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause?: unknown): CliError {
  return new CliError(
    "The bundled session assets/trajectory.json is missing or damaged.",
    "Reinstall the package, or record the session again in the repository: node scripts/record-trajectory.ts",
    cause,
  );
}

/**
 * Records assets/trajectory.json, which `palimpsest demo` plays: a scripted agent does real work with real commands on a
 * copy of this repository. Its words are in scripts/record/session.ts; every tool result is the command's real output.
 * Run it with `node scripts/record-trajectory.ts`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkMessages } from "../src/messages/check-messages.ts";
import { recordSession } from "./record/record-session.ts";
import { refuseTraces } from "./record/scrub.ts";
import { session } from "./record/session.ts";
import { openWorkspace } from "./record/workspace.ts";

const REPOSITORY = fileURLToPath(new URL("../", import.meta.url));
const TRAJECTORY = new URL("../assets/trajectory.json", import.meta.url);

const DESCRIPTION =
  "A scripted agent's session on this repository. Its words are scripted; the commands ran, and their results are what they printed. " +
  "Recorded by scripts/record-trajectory.ts.";

const workspace = openWorkspace(REPOSITORY);
try {
  const messages = recordSession(session(), workspace);
  const findings = checkMessages(messages);
  if (findings.length > 0) throw new Error(`The recording is not a valid request: ${JSON.stringify(findings)}`);
  const json = `${JSON.stringify({ description: DESCRIPTION, messages }, null, 2)}\n`;
  refuseTraces(json, workspace);
  mkdirSync(new URL("./", TRAJECTORY), { recursive: true });
  writeFileSync(TRAJECTORY, json);
  console.log(`Recorded ${messages.length} messages, ${Math.round(json.length / 1000)} kB.`);
} finally {
  workspace.remove();
}

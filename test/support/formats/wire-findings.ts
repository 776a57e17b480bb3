import { slimMessage } from "../../../src/cli/slim-message.ts";
import { codecOf } from "../../../src/formats/codecs.ts";
import type { TranscriptFormat } from "../../../src/formats/transcripts/transcript-format.ts";
import type { Finding } from "../../../src/messages/check-messages.ts";
import type { Message } from "../../../src/messages/message.ts";

/** What is found in a view and not in its log, or there less often. */
export function addedFindings(format: TranscriptFormat, log: readonly Message[], view: readonly Message[]): readonly string[] {
  return addedTo(findingsIn(format, log).map(withoutPlaces), findingsIn(format, view).map(withoutPlaces));
}

/** As `palimpsest check` finds them: what was sent is checked as it is, a session as a history. */
export function findingsIn(format: TranscriptFormat, log: readonly Message[]): readonly Finding[] {
  const codec = codecOf(format.wire);
  const isRequest = format.name === format.wire;
  return codec.check(codec.encode(isRequest ? log : log.map(slimMessage)), { history: !isRequest });
}

/** In a view the same finding has another place. */
function withoutPlaces({ rule, message }: Finding): string {
  return `${rule}: ${message.replaceAll(/\b(?:messages|input)\.\d+(?:\.\w+)*/g, "…")}`;
}

/** What a view has and its log has not, or has less often. */
function addedTo(log: readonly string[], view: readonly string[]): readonly string[] {
  const left = [...log];
  return view.filter((finding) => {
    const at = left.indexOf(finding);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

import { cacheFaults } from "./judge-cache.ts";
import { serverToolFaults } from "./judge-server-tools.ts";
import { structureFaults } from "./judge-structure.ts";
import { thinkingFaults } from "./judge-thinking.ts";
import { toolFaults } from "./judge-tools.ts";
import { readRequest, type JudgedMessage, type JudgeTarget } from "./judged-request.ts";

export type { JudgedBlock, JudgedMessage, JudgeTarget } from "./judged-request.ts";
export { BindingWorld, signThinking } from "./binding-world.ts";

/**
 * The provider's errors for a request, as far as its messages show them: `rule:subject`, where the subject is a call id, a
 * digest of the content or a role, and never an index. So the faults of a log and of its view can be compared as multisets.
 */
export function faults(messages: readonly JudgedMessage[], target: JudgeTarget = {}): string[] {
  const request = readRequest(messages, target);
  return [...structureFaults(request), ...toolFaults(request), ...serverToolFaults(request), ...thinkingFaults(request), ...cacheFaults(request)];
}

/** The provider reports text before a result as a call without a result. */
function asReported(fault: string): string {
  return fault.replace(/^A2\.3:/, "A2.1:");
}

/** Faults that a view has and its log has not, or has less often. What an open end of the log still lacks counts as a fault of the log. */
export function addedFaults(log: readonly JudgedMessage[], view: readonly JudgedMessage[], target: JudgeTarget = {}): string[] {
  const allowed = new Map<string, number>();
  for (const fault of faults(log, { ...target, history: false }).map(asReported)) allowed.set(fault, (allowed.get(fault) ?? 0) + 1);
  return faults(view, target)
    .map(asReported)
    .filter((fault) => {
      const left = allowed.get(fault) ?? 0;
      allowed.set(fault, left - 1);
      return left <= 0;
    });
}

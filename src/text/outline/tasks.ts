import { fieldsOf, firstString } from "../../content/calls/input-fields.ts";

/** Claude Code keeps its list task by task: one call creates a task, another changes it. */
const CREATE = /^task_?create$/i;
const UPDATE = /^task_?update$/i;
/** `Task #4 created successfully: …`: the only place that names the id of a new task. */
const CREATED = /\btask #?([\w-]+) created\b/i;
const ID_KEYS: readonly string[] = ["taskId", "task_id"];
const DELETED = "deleted";
/** How a result that is not an error says that there is no such task. */
const UNKNOWN = /\bnot found\b/i;

export interface Task {
  readonly subject: string;
  readonly status: string;
}

interface TaskCall {
  readonly tool: string;
  readonly input: unknown;
  readonly failed: boolean;
  readonly result: string;
}

/** Other tools with these names, and other fields, have nothing to do with a plan. */
export function isTaskCall(tool: string, input: unknown): boolean {
  return (CREATE.test(tool) && subjectOf(input) !== "") || (UPDATE.test(tool) && idOf(input) !== "");
}

/** Returns the tasks after these calls, in the order they were created. Calls that failed have done nothing. */
export function tasksAfter(calls: readonly TaskCall[]): Task[] {
  const tasks = new Map<string, Task>();
  for (const [number, { tool, input, failed, result }] of calls.entries()) {
    if (failed || !isTaskCall(tool, input)) continue;
    if (CREATE.test(tool)) {
      // If the result names no id, no later call can refer to the task.
      const id = CREATED.exec(result)?.[1] ?? ` ${number}`;
      // A new list counts from 1 again.
      tasks.delete(id);
      tasks.set(id, { subject: subjectOf(input), status: "pending" });
      continue;
    }
    if (UNKNOWN.test(result)) continue;
    const id = idOf(input);
    const status = firstString(fieldsOf(input), ["status"]);
    // A task that is older than the conversation has no subject here.
    const known = tasks.get(id) ?? { subject: `task ${id}`, status: "pending" };
    if (status === DELETED) tasks.delete(id);
    else tasks.set(id, { subject: subjectOf(input) || known.subject, status: status || known.status });
  }
  return [...tasks.values()];
}

function subjectOf(input: unknown): string {
  return firstString(fieldsOf(input), ["subject"]).trim();
}

/** Without the `#` that some models write. */
function idOf(input: unknown): string {
  const fields = fieldsOf(input);
  const id = ID_KEYS.map((key) => fields[key]).find((value) => typeof value === "string" || typeof value === "number");
  return id === undefined ? "" : String(id).replace(/^#/, "");
}

import type { FileOperation } from "./file-operation.ts";

/** The lines of a patch that name files, each with a sample. */
const FORMS: readonly { readonly pattern: RegExp; readonly action: FileOperation["action"] }[] = [
  { pattern: /^\*\*\* Add File: (.+)$/, action: "write" }, // *** Add File: src/a.ts
  { pattern: /^\*\*\* Update File: (.+)$/, action: "change" },
  { pattern: /^\*\*\* Delete File: (.+)$/, action: "delete" },
  { pattern: /^\*\*\* Move to: (.+)$/, action: "write" }, // after the update of the moved file
];

/** Returns the files of a Codex patch or a unified diff. */
export function operationsOfPatch(patch: string): FileOperation[] {
  return patch.includes("*** Begin Patch") ? operationsOfEnvelope(patch) : operationsOfDiff(patch);
}

function operationsOfEnvelope(patch: string): FileOperation[] {
  const operations: FileOperation[] = [];
  for (const line of patch.matchAll(/^\*\*\* .*$/gm)) {
    const found = FORMS.map(({ pattern, action }) => ({ path: pattern.exec(line[0])?.[1]?.trim() ?? "", action })).find(({ path }) => path !== "");
    if (found === undefined) continue;
    const moved = line[0].startsWith("*** Move") ? operations.pop() : undefined;
    if (moved !== undefined) operations.push({ path: moved.path, action: "delete" });
    operations.push(found);
  }
  return operations;
}

function operationsOfDiff(patch: string): FileOperation[] {
  return [...patch.matchAll(/^--- (\S+)(?:[ \t].*)?\r?\n\+\+\+ (\S+)/gm)].map(([, before = "", after = ""]) => {
    if (after === "/dev/null") return { path: withoutSide(before), action: "delete" };
    return { path: withoutSide(after), action: before === "/dev/null" ? "write" : "change" };
  });
}

function withoutSide(path: string): string {
  return path.replace(/^[ab]\//, "");
}

import type { Deed } from "./file-operation.ts";

/** The lines of a patch that name files, each with a sample. */
const FORMS: readonly { readonly pattern: RegExp; readonly action: Deed["action"] }[] = [
  { pattern: /^\*\*\* Add File: (.+)$/, action: "write" }, // *** Add File: src/a.ts
  { pattern: /^\*\*\* Update File: (.+)$/, action: "change" },
  { pattern: /^\*\*\* Delete File: (.+)$/, action: "delete" },
  { pattern: /^\*\*\* Move to: (.+)$/, action: "write" }, // below the update of the file that is moved
];

/** The files of a patch in the form of Codex, or of a unified diff. */
export function patchDeeds(patch: string): Deed[] {
  return patch.includes("*** Begin Patch") ? envelopeDeeds(patch) : diffDeeds(patch);
}

function envelopeDeeds(patch: string): Deed[] {
  const deeds: Deed[] = [];
  for (const line of patch.matchAll(/^\*\*\* .*$/gm)) {
    const found = FORMS.map(({ pattern, action }) => ({ path: pattern.exec(line[0])?.[1]?.trim() ?? "", action })).find(({ path }) => path !== "");
    if (found === undefined) continue;
    const moved = line[0].startsWith("*** Move") ? deeds.pop() : undefined;
    if (moved !== undefined) deeds.push({ path: moved.path, action: "delete" });
    deeds.push(found);
  }
  return deeds;
}

function diffDeeds(patch: string): Deed[] {
  return [...patch.matchAll(/^--- (\S+)(?:[ \t].*)?\r?\n\+\+\+ (\S+)/gm)].map(([, before = "", after = ""]) => {
    if (after === "/dev/null") return { path: withoutSide(before), action: "delete" };
    return { path: withoutSide(after), action: before === "/dev/null" ? "write" : "change" };
  });
}

function withoutSide(path: string): string {
  return path.replace(/^[ab]\//, "");
}

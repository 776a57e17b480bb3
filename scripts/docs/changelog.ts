/** Returns the changelog's entry for a version. Throws if there is none. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  const notes = section?.split("\n").slice(1).join("\n").trim() ?? "";
  if (notes === "") throw new Error(`CHANGELOG.md has no entry for ${version}`);
  return notes;
}

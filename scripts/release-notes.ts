/** Prints the changelog's entry for a version: `node scripts/release-notes.ts v0.2.0`. Fails if that is not the version of the package. */
import { readFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import { releaseNotes } from "./docs/changelog.ts";

const version = process.argv[2]?.replace(/^v/, "");
if (version !== manifest.version) throw new Error(`expected the version of package.json, ${manifest.version}; found ${version ?? "none"}`);
console.log(releaseNotes(readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8"), version));

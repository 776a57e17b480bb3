import type { Subject } from "../subject.ts";
import { collapseSubject } from "./collapse-tool-chains.ts";
import { compactOldSubject } from "./compact-old-tool-results.ts";
import { compactThreadSubject } from "./compact-thread.ts";
import { compressSubject } from "./compress-tool-result.ts";
import { pruneSubjects } from "./prune-messages.ts";

export const ours: readonly Subject[] = [compressSubject, collapseSubject, ...pruneSubjects, compactOldSubject, compactThreadSubject];

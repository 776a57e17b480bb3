import type { Subject } from "../subject.ts";
import { aiSubjects } from "./ai.ts";
import { contextChefSubjects } from "./context-chef.ts";
import { langchainCoreSubjects } from "./langchain-core.ts";
import { langchainSubjects } from "./langchain.ts";

export const peers: readonly Subject[] = [...aiSubjects, ...langchainCoreSubjects, ...langchainSubjects, ...contextChefSubjects];

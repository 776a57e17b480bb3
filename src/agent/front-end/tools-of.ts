import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import type { HiddenTools } from "../thread/hidden-calls.ts";

/** Returns the definitions of our tools that the model gets. */
export function toolsOf({ compact, recall }: HiddenTools): ToolDefinition[] {
  return [...(compact ? [compactTool] : []), ...(recall ? [recallTool] : [])];
}

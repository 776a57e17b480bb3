import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";

/** The tools of ours with these names, as the model was told about them. */
export function ownTools(names: readonly string[]): readonly ToolDefinition[] {
  return [compactTool, recallTool].filter(({ name }) => names.includes(name));
}

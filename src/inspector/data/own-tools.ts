import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";

/** Returns our own tools with these names, as they were sent to the model. */
export function ownTools(names: readonly string[]): readonly ToolDefinition[] {
  return [compactTool, recallTool].filter(({ name }) => names.includes(name));
}

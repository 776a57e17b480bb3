import type { Rejection } from "../protocol.ts";
import { isRecord, recordsOf, stringOf, type Json } from "./json-values.ts";
import { refuse, refuseLongList, refuseLongText, refuseMissing, refuseType } from "./openai-error.ts";

const MAX_TOOLS = 128;
const MAX_NAME_LENGTH = 64;

/** A name and its path. */
export interface PlacedName {
  readonly name: unknown;
  readonly param: string;
}

/** B7. */
export function checkName({ name, param }: PlacedName): Rejection | undefined {
  if (name === undefined) return refuseMissing("B7", param);
  if (typeof name !== "string") return refuseType("B7", param, "a string", name);
  if (name === "")
    return refuse("B7", `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`, {
      param,
      code: "empty_string",
    });
  if (name.length > MAX_NAME_LENGTH) return refuseLongText("B7", param, MAX_NAME_LENGTH, name.length);
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    return refuse("B7", `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`, {
      param,
      code: "invalid_value",
    });
  return undefined;
}

/** B8. */
export function checkToolCount(tools: unknown): Rejection | undefined {
  return Array.isArray(tools) && tools.length > MAX_TOOLS ? refuseLongList("B8", "tools", MAX_TOOLS, tools.length) : undefined;
}

/** The provider's own text for a repeated name is not documented. */
export function checkUniqueNames(names: readonly PlacedName[]): Rejection | undefined {
  const seen = new Set<unknown>();
  for (const { name, param } of names) {
    if (seen.has(name)) return refuse("tools", `Invalid '${param}': duplicate name '${stringOf(name)}'. Tool names must be unique.`, { param });
    seen.add(name);
  }
  return undefined;
}

/** The types of tools that the client runs: provider-run tools have no name. */
const NAMED: ReadonlySet<unknown> = new Set(["function", "custom"]);

/** In Chat Completions, a tool's definition is nested under its type. */
export function nestedNames(tools: unknown): readonly PlacedName[] {
  return recordsOf(tools).flatMap((tool, number) => {
    const type = stringOf(tool["type"]);
    const nested = tool[type];
    if (isRecord(nested)) return [{ name: nested["name"], param: `tools[${number}].${type}.name` }];
    return NAMED.has(type) ? [{ name: undefined, param: `tools[${number}].${type}` }] : [];
  });
}

/** In Responses, a tool's definition is not nested. */
export function flatNames(tools: unknown): readonly PlacedName[] {
  return recordsOf(tools).flatMap((tool, number) => (NAMED.has(tool["type"]) ? [{ name: tool["name"], param: `tools[${number}].name` }] : []));
}

/** Returns the tool names for a script. */
export function toolNames({ tools, input }: Json): string[] {
  // In Responses, an item can add tools too.
  const added = recordsOf(input).flatMap((item) => (item["type"] === "additional_tools" ? recordsOf(item["tools"]) : []));
  return [...recordsOf(tools), ...added].flatMap(namesOf);
}

function namesOf(tool: Json): readonly string[] {
  const type = stringOf(tool["type"]);
  if (type === "namespace") return recordsOf(tool["tools"]).flatMap(namesOf);
  const nested = tool[type];
  return [stringOf(isRecord(nested) ? nested["name"] : tool["name"]) || type];
}

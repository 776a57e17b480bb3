import type { Rejection } from "../protocol.ts";
import { firstRejection } from "./first-rejection.ts";
import { recordsOf, stringOf, type Json } from "./json-values.ts";
import { refuse, refuseMissing, refuseType, refuseValue } from "./openai-error.ts";
import { sideOfItem, typeOfItem } from "./response-items.ts";

const ROLES = ["assistant", "system", "developer", "user"];
const SAID_PARTS = ["output_text", "refusal"];
const ASKED_PARTS = ["input_text", "input_image", "input_file", "input_audio"];

/** Checks required fields and repeated ids, which have no number in section C. */
export function checkItemShapes(before: readonly Json[], input: readonly Json[]): Rejection | undefined {
  const seen = new Set(before.map(({ id }) => id));
  return firstRejection(input, (item, at) => {
    const { id } = item;
    if (typeof id === "string" && sideOfItem(item) !== "tool") {
      if (seen.has(id))
        return refuse("duplicate", `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`, { param: "input" });
      seen.add(id);
    }
    return checkFields(item, `input[${at}]`);
  });
}

function checkFields(item: Json, path: string): Rejection | undefined {
  switch (typeOfItem(item)) {
    case "message":
      return checkMessage(item, path);
    case "function_call":
      return checkTexts(item, path, ["call_id", "name", "arguments"]);
    case "custom_tool_call":
      return checkTexts(item, path, ["call_id", "name", "input"]);
    case "function_call_output":
    case "custom_tool_call_output":
      return checkOutput(item, path);
    case "reasoning":
      return typeof item["encrypted_content"] === "string" ? undefined : checkTexts(item, path, ["id"]);
    case "item_reference":
      return checkTexts(item, path, ["id"]);
    default:
      return undefined;
  }
}

function checkMessage({ role, content }: Json, path: string): Rejection | undefined {
  if (!ROLES.includes(stringOf(role))) return refuseValue("shape", `${path}.role`, role, ROLES);
  if (content === undefined) return refuseMissing("shape", `${path}.content`);
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content)) return refuseType("shape", `${path}.content`, "one of an array of objects or string", content);
  const supported = role === "assistant" ? SAID_PARTS : ASKED_PARTS;
  return firstRejection(recordsOf(content), ({ type }, part) =>
    supported.includes(stringOf(type)) ? undefined : refuseValue("shape", `${path}.content[${part}]`, type, supported),
  );
}

function checkOutput({ output }: Json, path: string): Rejection | undefined {
  if (output === undefined) return refuseMissing("shape", `${path}.output`);
  if (typeof output === "string") return undefined;
  if (!Array.isArray(output)) return refuseType("shape", `${path}.output`, "one of a string or array of objects", output);
  return firstRejection(recordsOf(output), ({ type }, part) =>
    ASKED_PARTS.includes(stringOf(type)) ? undefined : refuseValue("shape", `${path}.output[${part}]`, type, ASKED_PARTS),
  );
}

function checkTexts(item: Json, path: string, fields: readonly string[]): Rejection | undefined {
  return firstRejection(fields, (field) => {
    const value = item[field];
    if (typeof value === "string") return undefined;
    return value === undefined ? refuseMissing("shape", `${path}.${field}`) : refuseType("shape", `${path}.${field}`, "a string", value);
  });
}

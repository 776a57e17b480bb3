import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseMessages } from "../messages/parse-messages.ts";
import type { Message } from "../messages/message.ts";
import { CliError } from "./cli-error.ts";

const EXPECTED = 'Give a JSON array of messages, or a request body with "messages".';

/** The messages in a JSON file, or on standard input for `-`: the array itself, or a request body that holds it. */
export async function readMessages(path: string): Promise<readonly Message[]> {
  const name = path === "-" ? "standard input" : path;
  const value = parseJson(await readSource(path), name);
  if (Array.isArray(value)) return parseMessages(value);
  if (typeof value === "object" && value !== null && "messages" in value) return parseMessages(value.messages);
  throw new CliError(`${name} holds no messages.`, EXPECTED);
}

async function readSource(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CliError(`Cannot read ${path}: ${whyUnreadable(error)}.`, "Give the path of a JSON file, or - for standard input.", error);
  }
}

function whyUnreadable(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "permission denied";
  return error instanceof Error ? error.message : String(error);
}

function parseJson(source: string, name: string): unknown {
  const json = source.replace(/^\uFEFF/, "");
  if (json.trim() === "") throw new CliError(`${name} is empty.`, EXPECTED);
  try {
    return JSON.parse(json);
  } catch (error) {
    if (isJsonLines(json)) throw new CliError(`${name} has one JSON value per line, not one in all.`, `Join the lines first: jq -s . ${name}`, error);
    const detail = error instanceof Error ? error.message : String(error);
    throw new CliError(`${name} is not JSON: ${detail}.`, EXPECTED, error);
  }
}

/** Sessions are often logged one message per line: worth its own way out. */
function isJsonLines(source: string): boolean {
  const lines = source.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.slice(0, 2).every(isJsonObject);
}

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

import { redactedJson, type Redact } from "./redaction.ts";
import { isRecord } from "../../errors/is-record.ts";

const MASKED = "…(masked)";
/** Names of fields that hold a key: of MCP servers, of the provider's own tools, of extra headers. */
const SECRET = /^(authorization|[\w-]*(token|secret|password|api[-_]?key))$/i;
/** Inside schemas there are names of fields, not values. */
const SCHEMAS: ReadonlySet<string> = new Set(["input_schema", "inputSchema", "parameters", "schema"]);
const IMAGE = /^data:[\w.+-]+\/[\w.+-]+;base64,/;

/** Returns what is stored of a request besides its messages: the system prompt, tools and settings, without keys and images. */
export function storedHead(body: object, redact: Redact | undefined): object {
  const { messages: _, input: __, prompt: ___, ...head } = body as Readonly<Record<string, unknown>>;
  try {
    return JSON.parse(redactedJson(masked(head), redact)) as object;
  } catch {
    return {};
  }
}

function masked(value: unknown): unknown {
  if (typeof value === "string") return IMAGE.test(value) ? MASKED : value;
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, SCHEMAS.has(name) ? each : maskedField(name, each)]));
}

function maskedField(name: string, value: unknown): unknown {
  if (typeof value === "string" && SECRET.test(name)) return MASKED;
  // Any header may hold a key, whatever its name.
  if (name === "headers" && isRecord(value)) return Object.fromEntries(Object.keys(value).map((header) => [header, MASKED]));
  return masked(value);
}

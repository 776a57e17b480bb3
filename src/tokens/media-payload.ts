import { bytesOfArray, bytesOfBase64, type PayloadBytes } from "./payload-bytes.ts";

/** An image, a document or another file in a message of any provider or SDK. */
export interface Media {
  readonly kind: "image" | "pdf" | "text" | "other";
  /** Undefined if the message has a URL or an id instead. */
  readonly bytes: PayloadBytes | undefined;
}

/** Types of blocks that carry a file, with samples: Anthropic, OpenAI's two APIs, the AI SDK and MCP. */
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  "image", // { source: { type: "base64", media_type, data } }; { image: Uint8Array, mediaType }; { data, mimeType }
  "document", // { source: { type: "base64", media_type: "application/pdf", data } }
  "image_url", // { image_url: { url: "data:image/png;base64,…" } }
  "input_image", // { image_url: "https://…" }
  "file", // { file: { file_data } }; { data: { type: "data", data: Uint8Array }, mediaType }
  "input_file", // { file_data: "data:application/pdf;base64,…", filename }
  "media", // { data, mediaType }
  "image-data", // the same
  "file-data", // the same
  "image-url", // { url }
  "file-url", // { url }
  "audio", // { data, mimeType }
  "input_audio", // { input_audio: { data, format } }
]);

const PAYLOAD_KEYS = ["source", "image_url", "image", "file", "file_data", "data", "input_audio", "url"] as const;
const MEDIA_TYPE_KEYS = ["media_type", "mediaType", "mimeType", "mime_type"] as const;
/** Payloads are nested at most two levels deep, as in `source.data`, plus the block itself. */
const MOST_WRAPPERS = 3;

const DATA_URL = /^data:([^;,]{0,100})[^,]{0,100};base64,/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Reading a whole payload would take long. */
const LOOKED_AT_CHARS = 256;
/** Fewer bytes do not count as a file: a string of that length may be a name. */
const LEAST_EMBEDDED_BYTES = 192;

/** Says whether the block has a type that carries a file. */
export function isMedia(block: object): boolean {
  return mediaOf(block) !== undefined;
}

/** Says whether a value claims to be a file, even if it does not contain it. */
export function mayBeMedia(value: object): boolean {
  const type = field(value, "type");
  return typeof type === "string" && MEDIA_TYPES.has(type);
}

export function mediaOf(block: object): Media | undefined {
  const type = field(block, "type");
  if (typeof type !== "string" || !MEDIA_TYPES.has(type)) return undefined;
  const { payload, mediaType } = findPayload(block);
  const [dataUrl, urlMediaType] = typeof payload === "string" ? (DATA_URL.exec(payload) ?? []) : [];
  return { kind: kindOf(urlMediaType ?? mediaType ?? "", type), bytes: bytesOf(payload, dataUrl?.length) };
}

/** Returns the file of a nested value, where `type` may mean anything. Only if the bytes are present. */
export function embeddedMediaOf(value: object): Media | undefined {
  const media = mediaOf(value);
  return (media?.bytes?.length ?? 0) >= LEAST_EMBEDDED_BYTES ? media : undefined;
}

export function mediaOfDataUrl(text: string): Media | undefined {
  if (!text.startsWith("data:")) return undefined;
  const [dataUrl, mediaType] = DATA_URL.exec(text) ?? [];
  return dataUrl === undefined ? undefined : { kind: kindOf(mediaType ?? "", ""), bytes: bytesOfBase64(text, dataUrl.length) };
}

function findPayload(block: object): { payload: unknown; mediaType: string | undefined } {
  let payload: unknown = block;
  let mediaType: string | undefined;
  for (let depth = 0; depth < MOST_WRAPPERS && typeof payload === "object" && payload !== null && !ArrayBuffer.isView(payload); depth++) {
    const wrapper: object = payload;
    mediaType ??= MEDIA_TYPE_KEYS.map((key) => field(wrapper, key)).find((found) => typeof found === "string");
    payload = PAYLOAD_KEYS.map((key) => field(wrapper, key)).find((found) => found !== undefined);
  }
  return { payload, mediaType };
}

function bytesOf(payload: unknown, dataUrlLength: number | undefined): PayloadBytes | undefined {
  if (payload instanceof Uint8Array) return bytesOfArray(payload);
  if (typeof payload !== "string") return undefined;
  if (dataUrlLength !== undefined) return bytesOfBase64(payload, dataUrlLength);
  return BASE64.test(payload.slice(0, LOOKED_AT_CHARS)) ? bytesOfBase64(payload, 0) : undefined;
}

function kindOf(mediaType: string, blockType: string): Media["kind"] {
  if (mediaType.startsWith("image") || (mediaType === "" && blockType.includes("image"))) return "image";
  if (mediaType.startsWith("text/")) return "text";
  const isDocument = blockType === "document" || blockType.includes("file");
  return mediaType === "application/pdf" || (mediaType === "" && isDocument) ? "pdf" : "other";
}

function field(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}

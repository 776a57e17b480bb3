import { request as open, type IncomingHttpHeaders } from "node:http";

export interface Exchanged {
  readonly status: number;
  readonly message: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The connection broke before the answer was over. */
  readonly isCut: boolean;
}

export interface ExchangeOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | readonly string[];
  readonly body?: string | Buffer;
  readonly onChunk?: (chunk: Buffer) => void;
}

/** One request over a connection of its own, and every byte of its answer: `fetch` unpacks, and hides how an answer ends. */
export function exchange(url: string, { method = "POST", headers = {}, body, onChunk }: ExchangeOptions = {}): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? [] : ["content-length", String(Buffer.byteLength(body))];
    const own = Array.isArray(headers) ? (headers as readonly string[]) : Object.entries(headers as Readonly<Record<string, string>>).flat();
    const given = [...own, ...length, "host", new URL(url).host];
    const request = open(url, { method, headers: given, agent: false });
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        onChunk?.(chunk);
      });
      const done = (isCut: boolean): void => {
        const { statusCode = 0, statusMessage = "", rawHeaders } = response;
        resolve({ status: statusCode, message: statusMessage, headers: response.headers, rawHeaders, body: Buffer.concat(chunks), isCut });
      };
      response.on("end", () => done(false));
      response.on("error", () => done(true));
    });
    request.end(body);
  });
}

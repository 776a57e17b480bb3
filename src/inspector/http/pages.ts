import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppBundle } from "../app-bundle.ts";
import { headersOf, PAGE_POLICY, sendBytes } from "./respond.ts";

const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Palimpsest</title>
<link rel="icon" href="/inspector/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/inspector/assets/app.css">
<script type="module" src="/inspector/assets/app.js"></script>
</head>
<body>
<noscript>The inspector needs JavaScript. The same is printed by palimpsest threads, log and show.</noscript>
</body>
</html>
`;

const TYPES: Readonly<Record<string, string>> = {
  "app.js": "text/javascript; charset=utf-8",
  "diff-worker.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Sends the app. It contains no data, so it needs no token. */
export async function sendPage(request: IncomingMessage, response: ServerResponse, path: string, bundle: () => Promise<AppBundle>): Promise<void> {
  const name = /^\/inspector\/assets\/([\w.-]+)$/.exec(path)?.[1];
  if (name === undefined) {
    await sendBytes(request, response, Buffer.from(SHELL), headersOf("text/html; charset=utf-8", PAGE_POLICY));
    return;
  }
  const { files, version } = await bundle();
  const file = files.get(name);
  const type = TYPES[name];
  if (file === undefined || type === undefined) {
    await sendBytes(request, response, Buffer.from("There is no such file.\n"), headersOf("text/plain; charset=utf-8"), 404);
    return;
  }
  const headers = { ...headersOf(type, PAGE_POLICY), "cache-control": "no-cache", etag: `"${version}"` };
  if (request.headers["if-none-match"] === headers.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  await sendBytes(request, response, file, headers);
}

/** The minimal proxy in Node: pipes both ways. Takes the upstream's port as its argument; prints its own. */
import { Agent, createServer, request as open } from "node:http";
import type { AddressInfo } from "node:net";

const agent = new Agent({ keepAlive: true });
const port = Number(process.argv[2]);
const server = createServer((request, response) => {
  const { method, url, headers } = request;
  const upstream = open({ agent, host: "127.0.0.1", port, method, path: url, headers }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    incoming.pipe(response);
  });
  request.pipe(upstream);
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));

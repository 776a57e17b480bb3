/** The thread that reads large bodies: a second proxy that gets all its connections from the first. */
import { parentPort, workerData } from "node:worker_threads";
import { remoteStore } from "../../store/remote-store.ts";
import { createProxy } from "../create-proxy.ts";
import { portStream } from "./port-stream.ts";
import { withPlainErrors, type FromThread, type ThreadSettings, type ToThread } from "./thread-message.ts";

const { settings, store } = workerData as ThreadSettings;
const say = (message: FromThread): void => parentPort?.postMessage(message);

const proxy = createProxy({
  ...settings,
  store: typeof store === "string" ? store : remoteStore(store.name, store.port),
  onEvent: (event) => say({ type: "event", event: withPlainErrors(event), metrics: proxy.metrics(), notReady: proxy.whyNotReady() }),
});

parentPort?.on("message", (message: ToThread) => {
  if (message.type === "connection") proxy.accept(portStream(message.port));
  else void close();
});
async function close(): Promise<void> {
  try {
    await proxy.close();
  } catch (error) {
    say({ type: "event", event: withPlainErrors({ type: "failed", stage: "internal", error, path: "" }), metrics: proxy.metrics(), notReady: undefined });
  }
  // The port is the only thing that keeps the thread alive.
  parentPort?.close();
}

say({ type: "ready" });

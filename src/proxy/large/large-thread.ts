/** The thread that reads large bodies: a proxy like the first one, whose connections all come from there. */
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
  // Nothing else keeps the thread alive.
  else void proxy.close().finally(() => parentPort?.close());
});
say({ type: "ready" });

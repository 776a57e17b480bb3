export { createProxy, type Proxy } from "./create-proxy.ts";
export type { ProxyEvent } from "./proxy-event.ts";
export { DEFAULTS, SETTINGS, type ProxyOptions, type ProxySettings } from "./proxy-options.ts";

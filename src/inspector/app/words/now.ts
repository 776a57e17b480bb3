import { signal } from "@preact/signals";

/** The time, for what says how long ago something was. */
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 10_000);

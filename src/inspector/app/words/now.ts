import { signal } from "@preact/signals";

/** The current time, for texts that say how long ago something was. */
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 10_000);

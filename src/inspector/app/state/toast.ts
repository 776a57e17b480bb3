import { signal } from "@preact/signals";

/** A short sentence that goes by itself. */
export const toast = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  toast.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => (toast.value = ""), 4_500);
}

/** Where the page is not served from this machine, a browser gives no clipboard. */
export async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(said);
  } catch {
    say("The browser does not let this page copy. Mark the text and copy it yourself.");
  }
}

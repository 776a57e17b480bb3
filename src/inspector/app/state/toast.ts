import { signal } from "@preact/signals";

/** A short message that disappears by itself. */
export const toast = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  toast.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => (toast.value = ""), 4_500);
}

/** Copies text. Browsers offer no clipboard to pages from other machines. */
export async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(said);
  } catch {
    say("The browser does not let this page copy. Select the text and copy it yourself.");
  }
}

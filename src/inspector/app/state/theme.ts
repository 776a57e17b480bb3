import { effect } from "@preact/signals";
import { params, setParams } from "./route.ts";

/** Follows the system's theme, unless the address names one. */
export function followTheme(): void {
  effect(() => {
    const theme = params.value.get("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
    else delete document.documentElement.dataset["theme"];
  });
}

export function toggleTheme(): void {
  const now = document.documentElement.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  setParams({ theme: now === "dark" ? "light" : "dark" });
}

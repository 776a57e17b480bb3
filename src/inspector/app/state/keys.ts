import { useEffect } from "preact/hooks";

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Keys of a screen. Off while somebody types, with Ctrl, Alt or Meta, and while a dialog is open. */
export function useKeys(actions: KeyActions): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (document.querySelector("dialog[open]") !== null) return;
      if (target?.closest("input, select, textarea") !== null && target !== undefined) {
        if (event.key === "Escape" && target instanceof HTMLElement) target.blur();
        return;
      }
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

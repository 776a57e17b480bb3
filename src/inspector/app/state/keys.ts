import { useEffect, useRef } from "preact/hooks";

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Keys of a screen. Off while somebody types, with Ctrl, Alt or Meta, and while a dialog is open. */
export function useKeys(actions: KeyActions): void {
  // Those of the newest drawing: a key may come before its effects have run.
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.target instanceof HTMLElement && event.target.matches("input, select, textarea")) {
        if (event.key === "Escape") event.target.blur();
        return;
      }
      const action = latest.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

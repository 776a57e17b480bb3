import { useEffect, useRef } from "preact/hooks";

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Registers the keys of a screen. Ignored while the reader types, with Ctrl, Alt or Meta, and while a dialog is open. */
export function useKeys(actions: KeyActions): void {
  // The actions of the latest render: a key may arrive before its effects have run.
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

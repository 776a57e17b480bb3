import type { JSX } from "preact";
import { Dialog } from "../parts/dialog.tsx";

const KEYS: readonly (readonly [what: string, ...keys: string[]])[] = [
  ["Search", "/"],
  ["Next, previous row or call", "j", "k"],
  ["Open", "↵"],
  ["Back, close", "Esc"],
  ["Open, close a branch", "→", "←"],
  ["Chart cursor; ten calls", "←", "→", "PgUp", "PgDn"],
  ["Next, previous change", "n", "p"],
  ["Next edit", "e"],
  ["Original of this edit", "o"],
  ["Light or dark", "t"],
  ["These keys", "?"],
];

export function KeyDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="km">
        {KEYS.map(([what, ...keys]) => (
          <div key={what}>
            <span>{what}</span>
            <span>
              {keys.map((key) => (
                <>
                  <kbd>{key}</kbd>{" "}
                </>
              ))}
            </span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

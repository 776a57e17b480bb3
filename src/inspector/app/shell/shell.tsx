import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon, Logo, ThemeIcon } from "../parts/icon.tsx";
import { needsToken } from "../state/api.ts";
import { useKeys, type KeyActions } from "../state/keys.ts";
import { listPath } from "../state/route.ts";
import { toggleTheme } from "../state/theme.ts";
import { toast } from "../state/toast.ts";
import { ConnectionBanner, ConnectionDot } from "./connection-state.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { TokenForm } from "./token-form.tsx";

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

export interface ShellProps {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** Keys to list in the footer of the page. */
  readonly hints: readonly (readonly [keys: string, what: string])[];
  readonly keys?: KeyActions;
  readonly children: ComponentChildren;
}

/** The frame around every screen. */
export function Shell({ title, crumbs, hints, keys = {}, children }: ShellProps): JSX.Element {
  const [showsKeys, setShowsKeys] = useState(false);
  useKeys({ t: toggleTheme, "?": () => setShowsKeys(true), ...keys });
  useEffect(() => {
    document.title = title === "" ? "Palimpsest" : `${title} · Palimpsest`;
  }, [title]);
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    document.getElementById("app")?.focus();
  };
  return (
    <>
      <a class="skip" href="#app" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={listPath()} aria-label="Palimpsest, all conversations">
          <Logo />
          <span>Palimpsest</span>
        </a>
        <nav class="where" aria-label="Where you are">
          <ol class="crumbs">
            {crumbs.map(({ label, href }, number) => (
              <li key={href}>
                <a href={href} {...(number === crumbs.length - 1 ? { "aria-current": "page" as const } : {})}>
                  {label}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <span class="sp" />
        <ConnectionDot />
        <button type="button" class="btn ghost icon" aria-label="Light or dark" onClick={toggleTheme}>
          <ThemeIcon />
        </button>
        <button type="button" class="btn ghost icon" aria-label="Keys" onClick={() => setShowsKeys(true)}>
          <Icon name="keys" />
        </button>
      </header>
      <ConnectionBanner />
      <main id="app" tabIndex={-1}>
        {needsToken.value ? <TokenForm /> : children}
      </main>
      <footer class="foot">
        <div class="keys">
          {[...hints, ["?", "all keys"] as const].map(([names, what]) => (
            <span key={what}>
              {names.split(" ").map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}{" "}
              {what}
            </span>
          ))}
        </div>
      </footer>
      <div class="toast" role="status">
        {toast.value}
      </div>
      {showsKeys && <KeyDialog onClose={() => setShowsKeys(false)} />}
    </>
  );
}

import type { JSX } from "preact";
import { percent } from "../words/numbers.ts";

/** Shows the parts of a request in order: read from the cache, written to it, uncached. */
export function CacheBar({ read, written, uncached }: { readonly read: number; readonly written: number; readonly uncached: number }): JSX.Element {
  const all = read + written + uncached;
  if (all === 0 || read + written === 0) return <span class="dimmer sm">not cached</span>;
  return (
    <>
      <span class="cbar" aria-hidden="true">
        <i class="r" style={{ flex: read }} />
        <i class="w" style={{ flex: written }} />
        <i class="m" style={{ flex: uncached }} />
      </span>
      <span class="of-cache">{percent(read / all)}</span>
    </>
  );
}

export function CacheLegend({ withoutLine = true }: { readonly withoutLine?: boolean }): JSX.Element {
  return (
    <>
      <span>
        <i class="sw read" />
        read from cache
      </span>
      <span>
        <i class="sw write" />
        written to cache
      </span>
      <span>
        <i class="sw miss" />
        uncached
      </span>
      {withoutLine && (
        <span>
          <i class="sw line" />
          without Palimpsest
        </span>
      )}
    </>
  );
}

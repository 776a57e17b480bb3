import type { JSX } from "preact";

const PATHS = {
  search: "M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM10.500 10.500l3 3",
  chevron: "m6 4 4 4-4 4",
  left: "m10 4-4 4 4 4",
  right: "m6 4 4 4-4 4",
  x: "m4.500 4.500 7 7M11.500 4.500l-7 7",
  digest: "M8 2 14 8 8 14 2 8z",
  batch: "M3 4h10M3 8h7M3 12h4",
  compaction: "M3 3h10v10H3zM6 8h4",
  pause: "M5.500 3v10M10.500 3v10",
  recall: "M6 4 2.500 7.500 6 11M3 7.500h6.500a3.500 3.500 0 0 1 0 7H8",
  undone: "M6 4 2.500 7.500 6 11M3 7.500h6.500a3.500 3.500 0 0 1 0 5H8",
  fault: "M8 2.200 14.500 13.500h-13zM8 6.500v3M8 11.500v.1",
  eye: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0z",
  copy: "M5.500 7A1.500 1.500 0 0 1 7 5.500h5A1.500 1.500 0 0 1 13.500 7v5a1.500 1.500 0 0 1-1.500 1.500H7A1.500 1.500 0 0 1 5.500 12zM10.500 3.500v-.5a1 1 0 0 0-1-1H3.500a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1H4",
  warn: "M8 2.200 14.500 13.500h-13zM8 6.500v3M8 11.500v.1",
  off: "M2 2l12 12M5 8.500a4.500 4.500 0 0 1 2-1M2.800 6a8 8 0 0 1 2.500-1.700M8 12.500v.1M10.700 8.300A4.500 4.500 0 0 1 11 8.500M7.500 3.500A8 8 0 0 1 13.200 6",
  info: "M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 7.500v3.500M8 5v.1",
  download: "M8 2.500v8M4.500 7.500 8 11l3.500-3.500M3 13.500h10",
  expand: "M8 2v4M8 10v4M5.500 4 8 1.500 10.500 4M5.500 12 8 14.500 10.500 12",
  keys: "M3 4h10A1.500 1.500 0 0 1 14.500 5.500v5A1.500 1.500 0 0 1 13 12H3a1.500 1.500 0 0 1-1.500-1.500v-5A1.500 1.500 0 0 1 3 4zM4 6.500h.1M6.700 6.500h.1M9.300 6.500h.1M12 6.500h.1M5 9.500h6",
} as const;

export type IconName = keyof typeof PATHS;

export function iconPath(name: IconName): string {
  return PATHS[name];
}

export function Icon({ name, flip = false }: { readonly name: IconName; readonly flip?: boolean }): JSX.Element {
  return (
    <svg class={flip ? "i flip" : "i"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function ThemeIcon(): JSX.Element {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.500a5.500 5.500 0 0 1 0 11z" fill="currentColor" />
    </svg>
  );
}

export function Logo(): JSX.Element {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke-linecap="round">
      <path d="M4 5h12M4 10h12M4 15h12" stroke="var(--control)" stroke-width="1.5" opacity=".55" />
      <path d="M4 5h7M4 10h4M4 15h9" stroke="var(--accent)" stroke-width="2.5" />
    </svg>
  );
}

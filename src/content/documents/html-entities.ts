const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  copy: "©",
  laquo: "«",
  raquo: "»",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
  middot: "·",
  times: "×",
  rarr: "→",
  bull: "•",
};

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
const LAST_CODE_POINT = 0x10ffff;

/** Decodes the frequent entities; others stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(ENTITY, (entity: string, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? entity) : entity;
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    return point > 0 && point <= LAST_CODE_POINT ? String.fromCodePoint(point) : entity;
  });
}

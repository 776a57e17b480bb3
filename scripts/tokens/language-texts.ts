/**
 * Texts in many languages without files: the names of countries, languages, currencies and times that Node knows (Unicode's CLDR). Only
 * names, but with the letters, endings and word lengths of the language.
 */
const LETTER_PAIRS: readonly string[] = Array.from({ length: 676 }, (_, index) => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26)));
const UNITS: readonly string[] = ["day", "hour", "kilometer", "kilogram", "liter", "degree", "percent", "megabyte", "mile-per-hour", "second", "acre", "month"];
const LEAST_NAMES = 60;

/** Undefined: Node does not know the language. */
export function namesIn(locale: string): string | undefined {
  const names = [...displayNames(locale), ...datesIn(locale), ...quantitiesIn(locale)];
  return names.length < LEAST_NAMES ? undefined : names.join(", ");
}

function displayNames(locale: string): string[] {
  const codes = {
    region: LETTER_PAIRS.map((pair) => pair.toUpperCase()),
    language: LETTER_PAIRS,
    currency: Intl.supportedValuesOf("currency"),
  };
  return Object.entries(codes).flatMap(([type, ofType]) => {
    const options = { type: type as keyof typeof codes, fallback: "none" } as const;
    const [here, english] = [new Intl.DisplayNames(locale, options), new Intl.DisplayNames("en", options)];
    return ofType.flatMap((code) => {
      const name = here.of(code);
      return name === undefined || (name === english.of(code) && !locale.startsWith("en")) ? [] : [name];
    });
  });
}

function datesIn(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  if (!format.resolvedOptions().locale.startsWith(locale.slice(0, 2))) return [];
  return Array.from({ length: 60 }, (_, index) => format.format(new Date(Date.UTC(2020, index % 12, 1 + ((index * 5) % 28)))));
}

function quantitiesIn(locale: string): string[] {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (!relative.resolvedOptions().locale.startsWith(locale.slice(0, 2))) return [];
  const times = (["second", "minute", "hour", "day", "week", "month", "year"] as const).flatMap((unit) =>
    [-5, -1, 1, 7].map((count) => relative.format(count, unit)),
  );
  return [
    ...times,
    ...UNITS.flatMap((unit) => [1, 5].map((count) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count))),
  ];
}

/** Languages in Latin letters. */
export const LATIN_LOCALES: readonly string[] =
  "af ast az bs br ca ceb cs cy da de dsb ee eo es et eu ff fi fil fo fr fy ga gd gl gsw gv ha haw hr hsb hu ia id ig is it jv kab kea ki kl ku kw lb lg ln lt lv mfe mg mi ms mt nb nl nn nus om pl pt qu rm rn ro rw sc se sg sk sl sn so sq sr-Latn su sv sw tk to tr uz wo xh yo yrl zu".split(
    " ",
  );

/** Languages in other scripts. Languages with enough other text are left out, because names are not typical text. */
export const OTHER_LOCALES: readonly string[] =
  "am ar be bg bn dz el fa gu he hi hy ka kk km kn lo mk ml mn mr my ne or pa ps ru si sr ta te th ti uk ur".split(" ");
/** Languages that share their script with larger ones, and scripts that o200k has no words of. */
export const SMALLER_LOCALES: readonly string[] =
  "as az-Cyrl bo brx ccp chr ckb kok ks ky lrc mai mni mzn nqo os pa-Arab sa sah sat sd tg tt ug uz-Arab uz-Cyrl vai yi zgh".split(" ");

/** Samples of every script and every symbol block of Unicode, generated from a seed, in typical forms. */
import { createRandom } from "../../bench/threads/random.ts";
import { atRandom, charactersOf, runsOf, wordsOf } from "./script-texts.ts";

export interface Sample {
  readonly name: string;
  readonly text: string;
}

const SAMPLE_CHARS = 2_400;

/** The scripts in Node's version of Unicode; a newer version may have more. */
const SCRIPT_NAMES: readonly string[] =
  "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square".split(
    " ",
  );

/** Blocks of symbols, and of letters that are used as such. */
const SYMBOL_BLOCKS: readonly (readonly [name: string, first: number, last: number])[] = [
  ["Latin-1 letters", 0xc0, 0xff],
  ["Latin Extended-A", 0x100, 0x17f],
  ["Latin Extended-B", 0x180, 0x24f],
  ["IPA letters", 0x250, 0x2af],
  ["modifier letters", 0x2b0, 0x2ff],
  ["combining marks", 0x300, 0x36f],
  ["phonetic extensions", 0x1d00, 0x1dbf],
  ["Latin Extended Additional", 0x1e00, 0x1eff],
  ["superscripts and subscripts", 0x2070, 0x209c],
  ["currencies", 0x20a0, 0x20c0],
  ["letterlike symbols", 0x2100, 0x214f],
  ["number forms", 0x2150, 0x218b],
  ["arrows", 0x2190, 0x21ff],
  ["mathematical operators", 0x2200, 0x22ff],
  ["technical symbols", 0x2300, 0x23ff],
  ["control pictures", 0x2400, 0x2426],
  ["enclosed alphanumerics", 0x2460, 0x24ff],
  ["box drawing", 0x2500, 0x257f],
  ["block elements", 0x2580, 0x259f],
  ["geometric shapes", 0x25a0, 0x25ff],
  ["miscellaneous symbols", 0x2600, 0x26ff],
  ["dingbats", 0x2700, 0x27bf],
  ["supplemental arrows", 0x27f0, 0x27ff],
  ["more arrows", 0x2900, 0x297f],
  ["more operators", 0x2a00, 0x2aff],
  ["symbols and arrows", 0x2b00, 0x2bff],
  ["radicals", 0x2e80, 0x2fd5],
  ["CJK punctuation", 0x3001, 0x303f],
  ["enclosed CJK", 0x3200, 0x32ff],
  ["CJK compatibility", 0x3300, 0x33ff],
  ["Han extension A", 0x3400, 0x4dbf],
  ["hexagrams", 0x4dc0, 0x4dff],
  ["Han", 0x4e00, 0x9fff],
  ["Hangul syllables", 0xac00, 0xd7a3],
  ["private use", 0xe000, 0xf8ff],
  ["private use, plane 15", 0xf0000, 0xf1fff],
  ["Han compatibility", 0xf900, 0xfad9],
  ["Latin ligatures and presentation forms", 0xfb00, 0xfb4f],
  ["Arabic presentation forms", 0xfb50, 0xfdff],
  ["small and vertical forms", 0xfe10, 0xfe6b],
  ["fullwidth forms", 0xff01, 0xff5e],
  ["halfwidth forms", 0xff61, 0xffdc],
  ["Linear B ideograms", 0x10080, 0x100fa],
  ["musical symbols", 0x1d100, 0x1d1ff],
  ["mathematical letters", 0x1d400, 0x1d7ff],
  ["mahjong and domino tiles", 0x1f000, 0x1f09f],
  ["playing cards", 0x1f0a0, 0x1f0f5],
  ["enclosed alphanumeric supplement", 0x1f100, 0x1f1e5],
  ["enclosed ideographs", 0x1f200, 0x1f265],
  ["pictographs", 0x1f300, 0x1f5ff],
  ["emoticons", 0x1f600, 0x1f64f],
  ["ornamental dingbats", 0x1f650, 0x1f67f],
  ["transport symbols", 0x1f680, 0x1f6fc],
  ["alchemical symbols", 0x1f700, 0x1f776],
  ["geometric shapes extended", 0x1f780, 0x1f7eb],
  ["supplemental arrows C", 0x1f800, 0x1f8b1],
  ["supplemental pictographs", 0x1f900, 0x1f9ff],
  ["chess symbols", 0x1fa00, 0x1fa6d],
  ["pictographs extended", 0x1fa70, 0x1faf8],
  ["legacy computing", 0x1fb00, 0x1fbf9],
  ["Han extension B", 0x20000, 0x2a6df],
  ["Han extension G", 0x30000, 0x3134a],
];

/** Characters of each script: at random in one stretch, and as words. */
export function scriptSamples(seed: number): Sample[] {
  const random = createRandom(seed);
  return SCRIPT_NAMES.flatMap((name) => {
    const characters = lettersOfScript(name);
    return [
      { name: `${name}, in one stretch`, text: atRandom(random, characters, SAMPLE_CHARS) },
      { name: `${name}, in words`, text: wordsOf(random, characters, SAMPLE_CHARS / 6) },
    ];
  });
}

/** Characters of each block: at random, and with spaces between them. */
export function symbolSamples(seed: number): Sample[] {
  const random = createRandom(seed);
  return SYMBOL_BLOCKS.flatMap(([name, first, last]) => {
    const characters = charactersOf(first, last, /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Co}]/u);
    return [
      { name: `${name}, in one stretch`, text: atRandom(random, characters, SAMPLE_CHARS) },
      { name: `${name}, with spaces`, text: Array.from({ length: SAMPLE_CHARS / 2 }, () => random.pick(characters)).join(" ") },
      { name: `${name}, in runs`, text: runsOf(random, characters, 120) },
    ];
  });
}

const found = new Map<string, string[]>();

function lettersOfScript(name: string): string[] {
  const known = found.get(name) ?? charactersOf(0, 0x323af, new RegExp(`(?=\\p{Script=${name}})[\\p{L}\\p{M}\\p{N}\\p{S}]`, "u"));
  found.set(name, known);
  return known;
}

import type { FittedCharacters } from "./fitted-table.ts";
import { numbersOf } from "./fitted-text.ts";
import { LETTER_COUNT, PAGE_COUNT, PAGE_NAMES, PAGE_SHIFT, pageNumber, PAGES } from "./pages.ts";

const FINE_PRICES = 30;
const COARSE_STEP = 6;

/** Decodes a price in hundredths of a token. Every low price has a number, because runs of a symbol cost little per character; above, every sixth. */
function priceOf(number: number): number {
  return number <= FINE_PRICES ? number : FINE_PRICES + (number - FINE_PRICES) * COARSE_STEP;
}

export function numberOfPrice(price: number): number {
  return Math.round(price <= FINE_PRICES ? price : FINE_PRICES + (price - FINE_PRICES) / COARSE_STEP);
}

/** Returns the cost of a character in hundredths of a token, by page, previous letter and own letter; for Latin, by the two letters before. */
export function letterPrices({ prices, latin, latinLevels }: FittedCharacters): Int16Array {
  const table = new Int16Array(PAGE_COUNT << PAGE_SHIFT);
  for (const [index, pair] of numbersOf(latin).entries()) {
    table[2 * index] = latinLevels[Math.floor(pair / latinLevels.length)] ?? 0;
    table[2 * index + 1] = latinLevels[pair % latinLevels.length] ?? 0;
  }
  for (const name of PAGE_NAMES) {
    const { firstLetter, letters } = PAGES[name];
    const ofPage = numbersOf(prices[name]);
    for (let before = 0; before < LETTER_COUNT; before++) {
      for (let letter = 0; letter < letters; letter++) {
        // A letter that never precedes letters of this page is treated as none.
        const number = ofPage[before * letters + letter] ?? ofPage[letter] ?? 0;
        table[(pageNumber(name) << PAGE_SHIFT) + before * LETTER_COUNT + firstLetter + letter] = priceOf(number);
      }
    }
  }
  return table;
}

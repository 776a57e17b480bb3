/** The fitted tables encode numbers from 0 to 90 as printable characters, without quotes and backslashes. */
const FIRST_CODE = 35;
const BACKSLASH = 92;

export function numbersOf(text: string): number[] {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code - FIRST_CODE - (code > BACKSLASH ? 1 : 0);
  });
}

export function textOfNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => String.fromCharCode(number + FIRST_CODE + (number + FIRST_CODE >= BACKSLASH ? 1 : 0))).join("");
}

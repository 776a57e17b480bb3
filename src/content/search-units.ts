import { lineUnits, type Judge } from "./line-units.ts";
import { NO_HEADING, type Unit } from "./unit.ts";

/** `path:12:text`, `path:text` or `12:text`. */
const HIT = /^(?:\d+:|[^\s:][^:\n]*:(?:\d+[:|]|\s*\S))/;
const NUMBERED_HIT = /^\s*(?:Line \d+:|\d+:)/;
/** `path-12-text` or `12-text`, lines around a hit. */
const CONTEXT = /^(?:\d+-|[^\s:][^:\n]*?-\d+-)/;
const NUMBERED_CONTEXT = /^\s*\d+-/;
/** A line of its own above the hits in it. */
const FILE = /^[^\s:][^\s]*[/.][^\s:]*:?$/;
const SEPARATOR = /^--$/;
const NOTE = /^(?:Found |No |\(Results|Total |\d+ match)/i;
const DEFINITION = /[:|]\s*(?:export|public|private|func|function|def|class|type|interface|const|struct|enum|impl|pub|static|async|fn)\b/;
const IMPORT = /[:|]\s*(?:import|from|require|use|#include)\b/;
const DULL = /^(?:[^:]*\/)?(?:node_modules|dist|build|vendor)\/|\.(?:lock|min\.js|map|snap):|Binary file|binary file matches/;

/** Hits, each shown with its file where the line does not name it; lines around a hit are shown with it. */
export function searchUnits(text: string): Unit[] {
  const judge = new SearchJudge();
  const units = lineUnits(text, judge.judge);
  for (const [context, hit] of judge.hitsBelow) {
    const unit = units[context];
    if (unit !== undefined) units[context] = { ...unit, heading: hit };
  }
  return units;
}

class SearchJudge {
  /** Lines that stand above the hit that they belong to. */
  readonly hitsBelow: [context: number, hit: number][] = [];
  #file = NO_HEADING;
  #hit = NO_HEADING;
  #waiting: number[] = [];

  readonly judge: Judge = (line, unit) => {
    if (line.trim() === "" || SEPARATOR.test(line)) {
      this.#hit = NO_HEADING;
      this.#waiting = [];
      return { weight: 0, heading: NO_HEADING };
    }
    if (NOTE.test(line)) return { weight: 1.5, heading: NO_HEADING };
    const isNumbered = NUMBERED_HIT.test(line);
    if (!isNumbered && (NUMBERED_CONTEXT.test(line) || (CONTEXT.test(line) && !/^[^-]*:\d+:/.test(line)))) return this.#context(unit);
    if (FILE.test(line)) {
      this.#file = unit;
      this.#hit = NO_HEADING;
      this.#waiting = [];
      return { weight: 1.1, heading: NO_HEADING };
    }
    if (isNumbered || HIT.test(line)) return this.#isHit(line, unit, isNumbered);
    return { weight: 0.4, heading: this.#hit === NO_HEADING ? this.#file : this.#hit };
  };

  #context(unit: number): ReturnType<Judge> {
    if (this.#hit === NO_HEADING) this.#waiting.push(unit);
    return { weight: 0.6, heading: this.#hit === NO_HEADING ? this.#file : this.#hit };
  }

  #isHit(line: string, unit: number, isNumbered: boolean): ReturnType<Judge> {
    this.#hit = unit;
    for (const context of this.#waiting) this.hitsBelow.push([context, unit]);
    this.#waiting = [];
    return { weight: hitWeight(line), heading: isNumbered ? this.#file : NO_HEADING };
  }
}

function hitWeight(line: string): number {
  if (DULL.test(line)) return 0.1;
  if (DEFINITION.test(line)) return 1.25;
  return IMPORT.test(line) ? 0.7 : 1;
}

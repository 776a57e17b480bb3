import { CharacterSet } from "../text/character-set.ts";

/**
 * Lines that harnesses write above and below the output of a tool, each with a sample. They say nothing about its kind.
 */
const HARNESS_LINES: readonly RegExp[] = [
  /^Command: /, // Command: /bin/zsh -lc "ls"
  /^Chunk ID: /, // Chunk ID: 2238c8
  /^Wall time: /, // Wall time: 0.1597 seconds
  /^Process (?:exited with code|running with session ID) /, // Process exited with code 0
  /^Original token count: /, // Original token count: 1009
  /^Total output lines: /, // Total output lines: 446
  /^Warning: truncated output/, // Warning: truncated output (original token count: 12685)
  /^Output:$/,
  /^Exit code:? /, // Exit code 1
  /^<\/?(?:returncode|output|path|type|content|entries|file|results|output_head|elided_chars)>/, // <returncode>0</returncode>
  /^Here's the (?:result of running `cat -n`|files and directories)/, // Here's the result of running `cat -n` on /a/b.py:
  /^The file .+ has been edited\. Here's the result/,
];

/** A harness writes at most this many lines above the output. */
export const MOST_HARNESS_LINES = 12;

const ANY = new RegExp(HARNESS_LINES.map(({ source }) => source).join("|"));

const STARTS = new CharacterSet("CWPOTEH<", false);

export function isHarnessLine(line: string): boolean {
  return STARTS.has(line.charCodeAt(0)) && ANY.test(line);
}

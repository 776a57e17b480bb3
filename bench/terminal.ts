/** Parses a command line. On a mistake, prints it with the help and exits. */
export function optionsOr<T>(parse: (args: readonly string[]) => T, help: string): T {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
}

/** On a terminal, one line that is overwritten; elsewhere only the stages. */
export function progressOf(stage: string): (text: string) => void {
  if (!process.stderr.isTTY) console.error(`${stage} ...`);
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${stage}: ${text}\r`);
  };
}

/** What a command line was asked for, or what is wrong with it and the help. */
export function optionsOr<T>(parse: (args: readonly string[]) => T, help: string): T {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(2);
  }
}

/** On a terminal one line that is written over, elsewhere nothing but the stages. */
export function progressOf(stage: string): (text: string) => void {
  if (!process.stderr.isTTY) console.error(`${stage} ...`);
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${stage}: ${text}\r`);
  };
}

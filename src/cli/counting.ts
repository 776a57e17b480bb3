/** What the commands that count a file say about it in their help: they count in one way. */
export const COUNTING = `Tokens are estimates: of all messages, and of the system prompt and the tools where the file has them, in tokens of the model
that is named, and in those of o200k where none is. Messages are counted as the file counts them. inspect, compact and import say the same.`;

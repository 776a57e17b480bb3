/** What a line says that reports what went wrong. */
export const FAULT: RegExp = /error|fail|exception|panic|fatal|traceback|cannot|can't|denied|not found|no such|refused|timed out|unable to|invalid|undefined/i;

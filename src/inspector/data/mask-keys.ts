/** Patterns of API keys. They are masked on every page and in every exported file. */
const KEYS: readonly RegExp[] = [
  /\b(sk-(?:ant-|proj-|or-)?)[\w-]{16,}/g,
  /\b(gh[pousr]_)\w{20,}/g,
  /\b(github_pat_)\w{20,}/g,
  /\b(glpat-)[\w-]{16,}/g,
  /\b(xox[abprs]-)[\w-]{10,}/g,
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\b(AIza)[\w-]{30,}/g,
  /\b(npm_)\w{30,}/g,
  /\b(eyJ)[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g,
  /\b(Bearer )[\w.~+/-]{20,}=*/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

export function maskKeys(text: string): string {
  return KEYS.reduce((masked, key) => masked.replace(key, "$1…(masked)"), text);
}

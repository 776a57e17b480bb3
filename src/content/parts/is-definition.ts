/** The start of a named definition. Patterns see the line without its number and indentation. */
const DEFINITION =
  /^(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|declare|override|virtual|inline|unsafe|pub(?:\([a-z]+\))?|const|extern|partial|sealed|open|data|suspend)\s+)*(?:function\b|class\s|interface\s|enum\s|struct\s|trait\s|impl[\s<]|type\s+\w+|namespace\s|module\s|def\s|func[\s(]|fn\s|fun\s|sub\s|object\s|record\s|macro_rules!|create\s+(?:table|index|view|function)\b)/i;

/** A method, or a function in a language without a keyword for it: `name(…) {` at the end. */
const METHOD =
  /^(?!(?:if|for|while|switch|catch|return|else|do|try|with|throw|new|await|case|elif|elseif|foreach|using|lock)\b)[\w$<>[\],.*&:~ ]*[\w$>]\s*\([^;]*\)[^;={}]*\{\s*$/;

/** `const name = (…) =>`, and other values that open a block. */
const BOUND_FUNCTION = /^(?:export\s+)?(?:const|let|var|val)\s+[\w$]+.*(?:=>|function\b|[{[(])\s*\{?\s*$/;

/** A test counts as the definition of the thing it tests. */
const TEST = /^(?:describe|it|test|suite|context|bench)(?:\.\w+)?\s*\(|^t\.Run\(/;

/** A key of JSON, YAML or an object literal that opens a block. */
const OPENED_KEY = /^(?:- )?["']?[\w$.@/-]+["']?\s*:\s*[{[(]?\s*$/;

/** Says whether a line begins a named definition or opens a block under a key. `body` has no number and indentation. */
export function isDefinition(body: string): boolean {
  return beginsDefinition(body) || OPENED_KEY.test(body);
}

function beginsDefinition(body: string): boolean {
  return DEFINITION.test(body) || TEST.test(body) || BOUND_FUNCTION.test(body) || METHOD.test(body);
}

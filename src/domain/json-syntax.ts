const TOKEN = /[[\]{},:]|true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
/** A string without its closing quote, as far as it is valid. */
const IN_STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;

/** What may come next: `first` after an opening bracket, where the closing one is allowed too. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma';

/**
 * Finds where a text stops being JSON (RFC 8259), for the person who has to fix it. The messages of `JSON.parse` differ
 * between versions of V8, lack the place for some texts, and repeat the text.
 *
 * Works in one pass, without recursion.
 *
 * @returns the index of the first character that can't be there; the text's length if more must follow, or if the text
 *   is valid
 */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let isDone = false;
  for (let at = 0; ;) {
    at = endOf(SPACE, text, at);
    if (at === text.length || isDone) return at;
    const token = tokenAt(text, at);
    if ('error' in token) return token.error;
    const next = after(token.kind, expected, open);
    if (next === undefined) return at;
    at = token.end;
    expected = next;
    isDone = open.length === 0 && next === 'comma';
  }
}

type Token = { readonly kind: string; readonly end: number } | { readonly error: number };

/** The kind of a token is its character; `"` for a string, `v` for another value without parts. */
function tokenAt(text: string, at: number): Token {
  if (text[at] === '"') {
    const end = endOf(IN_STRING, text, at);
    return text[end] === '"' ? { kind: '"', end: end + 1 } : { error: wrongIn(text, end) };
  }
  const end = endOf(TOKEN, text, at);
  if (end === at) return { error: wrongIn(text, at) };
  const sign = text[at]!;
  return { kind: '[]{},:'.includes(sign) ? sign : 'v', end };
}

/** A token cut off by the end of the text is not wrong: more must follow. */
function wrongIn(text: string, at: number): number {
  const rest = text.slice(at, at + 6);
  const isCutOff =
    at + rest.length === text.length &&
    (['true', 'false', 'null'].some((word) => word.startsWith(rest)) || /^(?:-|\\(?:u[0-9a-fA-F]{0,3})?)$/.test(rest));
  return isCutOff ? text.length : at;
}

/** What may follow a token; undefined if the token itself is not allowed. Updates `open`, the brackets around it. */
function after(kind: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  const takesValue = expected === 'value' || expected === 'first value';
  if (kind === '{' || kind === '[') {
    if (!takesValue) return undefined;
    open.push(kind);
    return kind === '{' ? 'first name' : 'first value';
  }
  if (kind === 'v' || kind === '"') {
    if (takesValue) return 'comma';
    return kind === '"' && expected.endsWith('name') ? 'colon' : undefined;
  }
  if (kind === ':') return expected === 'colon' ? 'value' : undefined;
  const inside = open.at(-1);
  if (kind === ',') return expected !== 'comma' ? undefined : inside === '{' ? 'name' : 'value';
  const isFirst = expected === (kind === '}' ? 'first name' : 'first value');
  if (inside !== (kind === '}' ? '{' : '[') || !(isFirst || expected === 'comma')) return undefined;
  open.pop();
  return 'comma';
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Which members of `data` are sent: dotted paths. Only one of the two is there. */
export interface Masks {
  /** Nothing but these. */
  readonly include?: readonly string[];
  /** All but these. */
  readonly exclude?: readonly string[];
}

/** Paths by their first part. `null` is the end of one: the whole value is meant. */
type PathTree = Map<string, PathTree | null>;

/** JSON without insignificant white space at its ends. */
const NOTHING = 'null';

/**
 * Cuts members from a JSON text. What stays keeps its bytes, numbers and order; only white space beside a member of an
 * object or an array on a path is lost.
 *
 * In an array a path applies to each element. A path that leads nowhere cuts nothing, and includes nothing: a string, a
 * number or the like on an included path that goes on is left out, and so is a whole text of that kind, which becomes
 * `null`.
 *
 * Works in one pass, on text: parsing would change big numbers, and the order of names that look like numbers.
 *
 * @param json a text that `JSON.parse` has accepted, nested no deeper than the ingest allows
 */
export function maskJson(json: string, { include, exclude }: Masks): string {
  const paths = include ?? exclude;
  if (!paths) return json;
  const cutter = createCutter(json, include !== undefined);
  return cutter.cut(treeOf(paths)) ?? NOTHING;
}

function treeOf(paths: readonly string[]): PathTree {
  const root: PathTree = new Map();
  for (const path of paths) {
    const names = path.split('.');
    let node = root;
    for (const [index, name] of names.entries()) {
      const known = node.get(name);
      // A shorter path means all that a longer one does.
      if (known === null) break;
      if (index === names.length - 1) node.set(name, null);
      else {
        const next: PathTree = known ?? new Map();
        node.set(name, next);
        node = next;
      }
    }
  }
  return root;
}

/** @param keepsNamed whether the paths say what stays, or what goes */
function createCutter(json: string, keepsNamed: boolean) {
  let at = 0;
  const skipSpace = (): void => {
    while (isSpace(json.charCodeAt(at))) at += 1;
  };
  const skipString = (): void => {
    at += 1;
    while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
    at += 1;
  };
  /** Leaves a value behind. @returns its text */
  const whole = (): string => {
    const start = at;
    let depth = 0;
    do {
      const char = json[at]!;
      if (char === '"') skipString();
      else {
        if (char === '{' || char === '[') depth += 1;
        else if (char === '}' || char === ']') depth -= 1;
        at += 1;
      }
    } while (depth > 0 || !endsValue(json[start]!, json, at));
    return json.slice(start, at);
  };
  /** The parts of an object or an array that stay. */
  const partsOf = (close: string, readPart: () => string | undefined): string[] => {
    const parts: string[] = [];
    at += 1;
    for (skipSpace(); json[at] !== close; skipSpace()) {
      const part = readPart();
      if (part !== undefined) parts.push(part);
      skipSpace();
      if (json[at] === ',') at += 1;
    }
    at += 1;
    return parts;
  };
  const readMember = (tree: PathTree): string | undefined => {
    const start = at;
    skipString();
    const nameText = json.slice(start, at);
    const node = tree.get(JSON.parse(nameText) as string);
    skipSpace();
    at += 1;
    skipSpace();
    const value = node ? cut(node) : whole();
    const isKept = node ? value !== undefined : keepsNamed === (node === null);
    return isKept ? `${nameText}:${value}` : undefined;
  };
  /** What stays of the next value; undefined if nothing does. */
  const cut = (tree: PathTree): string | undefined => {
    skipSpace();
    if (json[at] === '{') return `{${partsOf('}', () => readMember(tree)).join(',')}}`;
    if (json[at] === '[') return `[${partsOf(']', () => cut(tree)).join(',')}]`;
    const value = whole();
    return keepsNamed ? undefined : value;
  };
  return { cut };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Whether a value that began with `first` ends before `at`: strings, objects and arrays do where they are closed. */
function endsValue(first: string, json: string, at: number): boolean {
  if (first === '"' || first === '{' || first === '[') return true;
  const next = json.charCodeAt(at);
  return at >= json.length || isSpace(next) || json[at] === ',' || json[at] === '}' || json[at] === ']';
}

/** A part of a guide, or an operation of the API. */
export interface Section {
  readonly url: string;
  /** The title of its guide. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const MAX_RESULTS = 12;
const EXCERPT_CHARACTERS = 140;

/**
 * @param words what was typed
 * @returns the sections that contain every word, or its beginning, in their headings or text; those with them in the heading, or
 *   one after the other, come first
 */
export function findSections(sections: readonly Section[], words: string): Section[] {
  const terms = termsOf(words);
  if (terms.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}

/** @returns the text around the first word that was found, in three parts: before it, itself, and after it */
export function excerptOf({ text }: Section, words: string): readonly [string, string, string] {
  const lower = text.toLowerCase();
  const found = termsOf(words)
    .map((term) => ({ term, at: beginningIn(lower, term) }))
    .find(({ at }) => at >= 0);
  if (!found) return [cut(text, 0, EXCERPT_CHARACTERS), '', ''];
  const { term, at } = found;
  const from = at < 50 ? 0 : text.indexOf(' ', at - 50) + 1;
  const until = at + term.length;
  const start = Math.min(from, at);
  return [
    `${start > 0 ? '… ' : ''}${text.slice(start, at)}`,
    text.slice(at, until),
    cut(text, until, start + EXCERPT_CHARACTERS),
  ];
}

function termsOf(words: string): string[] {
  return words.toLowerCase().split(/\s+/).filter(Boolean);
}

function scoreOf({ page, heading, text }: Section, terms: readonly string[]): number {
  const [inPage, inHeading, inText] = [page, heading, text].map((it) => it.toLowerCase()) as [string, string, string];
  let score = 0;
  for (const term of terms) {
    const points =
      (beginningIn(inHeading, term) >= 0 ? 8 : 0) +
      (beginningIn(inPage, term) >= 0 ? 3 : 0) +
      (beginningIn(inText, term) >= 0 ? 1 : 0);
    if (points === 0) return 0;
    score += points;
  }
  const phrase = terms.join(' ');
  return score + (beginningIn(inHeading, phrase) >= 0 ? 8 : beginningIn(inText, phrase) >= 0 ? 4 : 0);
}

/** Where a word begins with the term; -1 if none does. */
function beginningIn(lower: string, term: string): number {
  let at = lower.indexOf(term);
  while (at > 0 && /[\p{L}\p{N}]/u.test(lower[at - 1]!) && /^[\p{L}\p{N}]/u.test(term))
    at = lower.indexOf(term, at + 1);
  return at;
}

function cut(text: string, from: number, until: number): string {
  if (until >= text.length) return text.slice(from);
  const end = text.lastIndexOf(' ', Math.max(until, from));
  return `${text.slice(from, end > from ? end : until)} …`;
}

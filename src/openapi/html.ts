/** Markup that is safe to write as it stands. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML: it escapes every value that is not markup itself; `undefined` and `false` become nothing. */
export function html(pieces: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(pieces.map((piece, at) => `${piece}${at < values.length ? written(values[at]) : ''}`).join(''));
}

/** A text as the content of an element, or as the value of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

function written(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return escapeHtml(String(part));
}

/** A description of the document: what stands between backticks is code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

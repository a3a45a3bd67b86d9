// Makes HTML of a guide, and the sections that the search knows.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';
import { isShownFile, ROOT } from './pages.mjs';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

/** What GitHub makes of a heading, so that one link works in both places. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** The text of tokens, without marks. */
const textOf = (tokens) => tokens.map((it) => (it.tokens ? textOf(it.tokens) : (it.text ?? it.raw ?? ''))).join('');

/** A link's target in the installation; undefined for a file that only the repository has. */
function resolveLink(page, link, { guides, files, pictures }) {
  if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link;
  const [path, anchor] = link.split('#');
  const target = normalize(join(dirname(page), path));
  const hash = anchor ? `#${anchor}` : '';
  if (guides.has(target)) return `/guides/${guides.get(target)}${hash}`;
  const file = join(ROOT, target);
  if (!existsSync(file)) throw new Error(`${page} links to ${link}, which is not there`);
  if (target.endsWith('.png') && target.startsWith('docs/pictures/')) {
    pictures.add(target);
    return `/guides/${target.replace('docs/', '')}`;
  }
  if (!statSync(file).isFile() || !isShownFile(target)) return undefined;
  files.add(target);
  return `/guides/files/${target}`;
}

/** The links of a page: those to what only the repository has become text. */
function rendererOf(page, found) {
  const headings = [];
  const ids = new Map();
  const idOf = (text) => {
    const slug = slugOf(text);
    const count = ids.get(slug) ?? 0;
    ids.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
  const renderer = {
    heading({ tokens, depth }) {
      const text = textOf(tokens);
      const id = idOf(text);
      headings.push({ depth, id, text });
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = resolveLink(page, href, found);
      return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
    },
    image({ href, text }) {
      const target = resolveLink(page, href, found);
      if (target === undefined) throw new Error(`${page} shows ${href}, which no guide can`);
      return `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    // The text around a diagram says what it shows.
    code({ text, lang }) {
      return lang === 'mermaid' ? '' : `<pre><code>${escapeHtml(text)}</code></pre>\n`;
    },
    html({ text }) {
      // Comments for those who write the page.
      return text.trim().startsWith('<!--') ? '' : text;
    },
    table(token) {
      const cell = (tag) => (it) => `<${tag}>${this.parser.parseInline(it.tokens)}</${tag}>`;
      const rows = token.rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
      const head = `<thead><tr>${token.header.map(cell('th')).join('')}</tr></thead>`;
      const name = escapeHtml(textOf(token.header[0].tokens) || headings.at(-1)?.text || 'Table');
      return `<div class="table" role="group" aria-label="Table: ${name}" tabindex="0"><table>${head}\n<tbody>${rows}</tbody></table></div>\n`;
    },
  };
  return { renderer, headings };
}

/** Cuts a page at its headings of the first three levels, into what a search finds. */
function sectionsOf(tokens, headings, slug) {
  const sections = [];
  let at = 0;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, id, text } = headings[at++];
      if (depth <= 3) sections.push({ url: `/guides/${slug}${depth === 1 ? '' : `#${id}`}`, heading: text, text: '' });
    } else if (sections.length > 0) {
      sections.at(-1).text += ` ${plainText(token)}`;
    }
  }
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

/** The words of a block: what stands in code too, but no addresses of links. */
function plainText(token) {
  if (token.type === 'space' || token.type === 'html' || token.lang === 'mermaid') return '';
  if (token.type === 'table') {
    return [token.header, ...token.rows].map((row) => row.map((it) => textOf(it.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return token.items.map((item) => item.tokens.map(plainText).join(' ')).join(' ');
  return token.tokens ? textOf(token.tokens) : (token.text ?? '');
}

/**
 * @param page the guide's file
 * @param found `guides` by file, and sets that collect the `files` and `pictures` that the page needs
 * @returns its HTML, its title, its headings of the second level, and its sections for the search
 * @throws Error naming a link without a target
 */
export function renderGuide(page, found) {
  const { renderer, headings } = rendererOf(page, found);
  const marked = new Marked({ renderer });
  const tokens = marked.lexer(readFileSync(join(ROOT, page), 'utf8'));
  const content = marked.parser(tokens);
  const title = headings[0]?.text ?? page;
  return {
    title,
    content,
    outline: headings.filter(({ depth }) => depth === 2),
    sections: sectionsOf(tokens, headings, found.guides.get(page)).map((section) => ({ ...section, page: title })),
  };
}

/** A file that guides lead to, as a page. */
export function renderFile(path) {
  const name = path.replace(/^docs\//, '');
  const text = readFileSync(join(ROOT, path), 'utf8');
  return {
    title: name,
    content: `<h1>${escapeHtml(name)}</h1>\n<pre><code>${escapeHtml(text)}</code></pre>`,
    outline: [],
  };
}

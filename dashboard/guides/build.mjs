// Writes the guides of the installation: `node dashboard/guides/build.mjs <folder of the built page>`. What they need is
// in the folder: no page asks another host for anything.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listGroups, listGuides, ROOT } from './pages.mjs';
import { escapeHtml, renderFile, renderGuide } from './render.mjs';

const WEB = process.argv[2];
const TARGET = join(WEB, 'guides');
const TEMPLATE = readFileSync(join(WEB, 'guides.html'), 'utf8').replaceAll(/ nonce="%STYLE_NONCE%"/g, '');

const link = (href, text, isCurrent = false) =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;

/** The way to every guide, and to the parts of this one. */
function navigation(groups, slug, outline) {
  const parts = outline.map(({ id, text }) => `<li>${link(`#${id}`, text)}</li>`).join('');
  const item = (guide) =>
    `<li>${link(`/guides/${guide.slug}`, guide.title, guide.slug === slug)}${
      guide.slug === slug && parts ? `<ul>${parts}</ul>` : ''
    }</li>`;
  return groups.map(({ name, guides }) => `<h2>${name}</h2><ul>${guides.map(item).join('')}</ul>`).join('\n');
}

function writeCompressed(name, content) {
  const file = join(TARGET, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}

function writePage(name, groups, { title, content, outline, slug }) {
  const page = TEMPLATE.replace('%TITLE%', () => escapeHtml(title))
    .replace('%NAVIGATION%', () => navigation(groups, slug, outline))
    .replace('%GUIDE%', () => content);
  writeCompressed(`${name}.html`, page);
}

/** The first page: every guide with what it begins with. */
function frontPage(groups, rendered) {
  const firstSentence = (slug) => {
    const { text } = rendered.get(slug).sections[0];
    return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? '';
  };
  const questions = rendered
    .get('questions')
    .outline.map(({ id, text }) => `<li>${link(`/guides/questions#${id}`, text)}</li>`);
  const lists = groups
    .map(({ name, guides }) => {
      const items = guides.map(
        ({ slug, title }) =>
          `<li>${link(`/guides/${slug}`, title)} <span>${escapeHtml(firstSentence(slug))}</span></li>`,
      );
      return `<h2>${name}</h2>\n<ul class="guides">${items.join('\n')}</ul>`;
    })
    .join('\n');
  const content = `<h1>Guides</h1>\n<ul class="questions">${questions.join('')}</ul>\n${lists}`;
  return { title: 'Guides', content, outline: [], slug: '' };
}

/** Each link between guides leads to a part that is there. */
function checkAnchors(rendered) {
  const pages = new Map([...rendered].map(([slug, { content }]) => [slug, content]));
  for (const [slug, content] of pages) {
    for (const [, target = slug, anchor] of content.matchAll(/ href="(?:\/guides\/([\w-]+))?#([^"]+)"/g)) {
      if (!pages.get(target).includes(` id="${decodeURIComponent(anchor)}"`)) {
        throw new Error(`The guide ${slug} links to ${target}#${anchor}, which is not there`);
      }
    }
  }
}

const found = { guides: listGuides(), files: new Set(), pictures: new Set() };
const groups = listGroups(found.guides);
const rendered = new Map([...found.guides].map(([path, slug]) => [slug, renderGuide(path, found)]));
checkAnchors(rendered);

rmSync(TARGET, { recursive: true, force: true });
writePage('index', groups, frontPage(groups, rendered));
for (const [slug, guide] of rendered) writePage(slug, groups, { ...guide, slug });
for (const path of found.files) {
  // A program reads it.
  if (path.endsWith('.json')) writeCompressed(`files/${path}`, readFileSync(join(ROOT, path), 'utf8'));
  else writePage(`files/${path}`, groups, renderFile(path));
}
for (const path of found.pictures) {
  mkdirSync(join(TARGET, 'pictures'), { recursive: true });
  copyFileSync(join(ROOT, path), join(TARGET, 'pictures', basename(path)));
}
writeCompressed('search.json', JSON.stringify([...rendered.values()].flatMap(({ sections }) => sections)));

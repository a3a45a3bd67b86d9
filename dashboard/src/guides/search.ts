import { excerptOf, findSections, type Section } from './find-sections';

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; summary: string; description: string }>>>
  >;
}

const API_PAGE = 'API reference';

/** Adds a search over the guides and the operations of the API. It loads what it searches when it is first used. */
export function addSearch(header: HTMLElement): void {
  const form = document.createElement('form');
  form.setAttribute('role', 'search');
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search the guides';
  input.setAttribute('aria-label', 'Search the guides and the API');
  input.setAttribute('aria-keyshortcuts', '/');
  input.autocomplete = 'off';
  const results = document.createElement('div');
  results.className = 'results';
  results.hidden = true;
  form.append(input, results);
  header.append(form);

  let loading: Promise<readonly Section[]> | undefined;
  const load = () => (loading ??= loadSections());
  const show = async () => {
    const words = input.value.trim();
    if (words === '') {
      results.hidden = true;
      return;
    }
    try {
      const sections = await load();
      // Something else may have been typed meanwhile.
      if (words === input.value.trim()) showResults(results, findSections(sections, words), words);
    } catch {
      loading = undefined;
      showText(results, 'The search could not be loaded. Type again to try once more.');
    }
  };
  input.addEventListener('focus', () => void load().catch(() => (loading = undefined)));
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show().then(() => results.querySelector('a')?.click());
  });
  listenToKeys(form, input, results);
}

function listenToKeys(form: HTMLFormElement, input: HTMLInputElement, results: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
    }
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !results.hidden) {
      event.preventDefault();
      results.hidden = true;
      input.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [input, ...results.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement as HTMLInputElement | HTMLAnchorElement);
    if (at < 0 || stops.length === 1) return;
    event.preventDefault();
    stops[(at + (event.key === 'ArrowDown' ? 1 : -1) + stops.length) % stops.length]!.focus();
  });
  // The results close when the focus goes elsewhere, or a link leads to a part of this page.
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) results.hidden = true;
  });
  input.addEventListener(
    'focus',
    () => (results.hidden = results.childElementCount === 0 || input.value.trim() === ''),
  );
  results.addEventListener('click', () => (results.hidden = true));
  // A press on a gap between the results would take the focus, and close them.
  results.addEventListener('mousedown', (event) => {
    if (!(event.target as Element).closest('a')) event.preventDefault();
  });
}

async function loadSections(): Promise<readonly Section[]> {
  const [guides, api] = await Promise.all(
    ['/guides/search.json', '/openapi.json'].map(async (url) => {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      return answer.json() as Promise<unknown>;
    }),
  );
  return [...(guides as Section[]), ...operationsOf(api as OpenApiDocument)];
}

function operationsOf({ paths }: OpenApiDocument): Section[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description }]) => ({
      url: `/docs#${operationId}`,
      page: API_PAGE,
      heading: summary,
      text: `${method.toUpperCase()} ${path} ${description}`,
    })),
  );
}

function showResults(results: HTMLElement, found: readonly Section[], words: string): void {
  if (found.length === 0) return showText(results, 'Nothing found. Try fewer or other words.');
  const list = document.createElement('ul');
  for (const section of found) list.append(resultItem(section, words));
  results.replaceChildren(statusLine(`${found.length} ${found.length === 1 ? 'result' : 'results'}`), list);
  results.hidden = false;
  return undefined;
}

function resultItem(section: Section, words: string): HTMLLIElement {
  const [before, match, after] = excerptOf(section, words);
  const mark = document.createElement('mark');
  mark.textContent = match;
  const excerpt = document.createElement('span');
  excerpt.append(before, ...(match === '' ? [] : [mark]), after);
  const title = document.createElement('strong');
  title.textContent = section.heading;
  const page = document.createElement('small');
  page.textContent = section.page === section.heading ? '' : section.page;
  const link = document.createElement('a');
  link.href = section.url;
  link.append(title, ' ', page, excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function showText(results: HTMLElement, text: string): void {
  results.replaceChildren(statusLine(text));
  results.hidden = false;
}

function statusLine(text: string): HTMLParagraphElement {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.textContent = text;
  return line;
}

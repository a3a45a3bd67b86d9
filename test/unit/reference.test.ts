import { describeOperations } from '../../src/operations';
import { html } from '../../src/openapi/html';
import { buildOpenApi } from '../../src/openapi/openapi';
import { renderReference } from '../../src/openapi/reference';

// Handlers are only registered here, never called, so they need no dependencies.
const { operations } = describeOperations().api;
const reference = renderReference(buildOpenApi(operations));

/** The text of an element of the reference, up to the next one with an id of its kind. */
function sectionOf(id: string): string {
  const from = reference.indexOf(`<section id="${id}"`);
  const section = reference.slice(from, reference.indexOf('<section id=', from + 1));
  const text = from < 0 ? '' : section.replace(/<[^>]+>/g, '');
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

it.each(operations.map(({ id, method, path, summary }) => [id, method.toUpperCase(), path, summary]))(
  'the reference has %s with its method, path and summary',
  (id, method, path, summary) => {
    const section = sectionOf(id);
    expect(section).toContain(summary);
    expect(section.replace(/\s+/g, ' ')).toContain(`${method} ${path}`);
  },
);

it('shows the members of a body with types, limits and whether they are required', () => {
  const section = sectionOf('ingestEvent').replace(/\s+/g, ' ');
  expect(section).toMatch(/type string required/);
  expect(section).toMatch(/idempotency_key string(?! required)/);
  expect(section).toContain('at most 255 characters');
});

it('shows a call that a shell runs, with the key where one is needed', () => {
  expect(sectionOf('ingestEvent')).toContain('curl -X POST "$EVERPOST_URL/api/v1/webhooks/events"');
  expect(sectionOf('ingestEvent')).toContain('Authorization: Bearer $EVERPOST_KEY');
  expect(sectionOf('getCatalog')).not.toContain('Bearer');
});

it('leads each reference to a part of the page', () => {
  const ids = new Set([...reference.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...reference.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target!);
  expect(targets.length).toBeGreaterThan(200);
  expect(targets.filter((target) => !ids.has(target))).toEqual([]);
});

it('escapes what the document says', () => {
  expect(html`<p title="${'"'}">${'<b>&'}${[html`<i>${"it's"}</i>`, undefined, false, 7]}</p>`.text).toBe(
    '<p title="&quot;">&lt;b&gt;&amp;<i>it&#39;s</i>7</p>',
  );
});

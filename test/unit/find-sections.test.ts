import { excerptOf, findSections, type Section } from '../../dashboard/src/guides/find-sections';

const section = (heading: string, text: string, page = 'Receiving'): Section => ({
  url: `/guides/receiving#${heading.toLowerCase()}`,
  page,
  heading,
  text,
});

const SECTIONS = [
  section('Verify', 'Read the raw body. The signature covers the exact bytes.'),
  section('Raw bodies', 'Express, Flask and others parse the body first.'),
  section('Retention', 'An event is kept for 30 days.', 'Configuration'),
  section('GET', 'GET /api/v1/webhooks/endpoints/{endpoint_id} drawing', 'API reference'),
];

const headingsOf = (words: string) => findSections(SECTIONS, words).map(({ heading }) => heading);

it('finds the sections that have every word, those with it in the heading first', () => {
  expect(headingsOf('raw')).toEqual(['Raw bodies', 'Verify']);
  expect(headingsOf('raw signature')).toEqual(['Verify']);
  expect(headingsOf('  KEPT configuration ')).toEqual(['Retention']);
  expect(headingsOf('nothing-like-this')).toEqual([]);
  expect(headingsOf(' ')).toEqual([]);
});

it('finds the beginning of a word, and signs anywhere', () => {
  expect(headingsOf('sig')).toEqual(['Verify']);
  expect(headingsOf('nature')).toEqual([]);
  expect(headingsOf('_id}')).toEqual(['GET']);
  expect(headingsOf('/endpoints')).toEqual(['GET']);
});

it('shows the text around the first word that it finds', () => {
  expect(excerptOf(SECTIONS[0]!, 'RAW')).toEqual(['Read the ', 'raw', ' body. The signature covers the exact bytes.']);
  const long = section('Long', `${'before '.repeat(40)}needle ${'after '.repeat(40)}`);
  const [before, match, after] = excerptOf(long, 'needle');
  expect(match).toBe('needle');
  expect(before).toMatch(/^… (before )+$/);
  expect(after).toMatch(/^ (after )+…$/);
  expect(before.length + match.length + after.length).toBeLessThan(170);
  expect(excerptOf(long, 'long')[1]).toBe('');
});

it('finds nothing wrong with a word that stands only inside others', () => {
  expect(excerptOf(section('Draw', 'drawing a draw'), 'raw')).toEqual(['drawing a draw', '', '']);
});

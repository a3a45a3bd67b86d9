import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTEMPT_ERROR_CODES } from '../../src/domain/delivery-state';
import { API_ERROR_CODES, COMMAND_ERROR_CODES, DASHBOARD_ERROR_CODES } from '../../src/domain/error-codes';

const ROOT = join(__dirname, '..', '..');

/** What http/error-mapper.ts makes of each error. */
const STATUS_OF: Record<string, number> = {
  InvalidRequestError: 400,
  UnauthorizedError: 401,
  ForbiddenError: 403,
  NotFoundError: 404,
  MethodNotAllowedError: 405,
  ConflictError: 409,
  PayloadTooLargeError: 413,
  UnsupportedMediaTypeError: 415,
  UnprocessableError: 422,
  TooManyRequestsError: 429,
  UnavailableError: 503,
};

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'domain/error-codes.ts')
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));

const documentation = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');

/** The rows of a section's table: each code, and its status where the table has one. */
function documented(heading: string): Map<string, number | undefined> {
  const [, rest = ''] = documentation.split(`## Codes of ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const rows = section.matchAll(/^\| (?:<a id="\w+"><\/a>)?`([a-z0-9_]+)` \| (?:(\d{3}) \|)?/gm);
  return new Map([...rows].map((row) => [row[1]!, row[2] === undefined ? undefined : Number(row[2])]));
}

describe('docs/errors.md', () => {
  it.each<[heading: string, codes: readonly string[]]>([
    ['the API', API_ERROR_CODES],
    // It has its own cause in the dashboard.
    ['the dashboard', [...DASHBOARD_ERROR_CODES, 'too_many_streams']],
    ['the command line', COMMAND_ERROR_CODES],
    ['delivery attempts', ATTEMPT_ERROR_CODES],
  ])('has a row for each code of %s, and no other', (heading, codes) => {
    expect([...documented(heading).keys()].toSorted()).toEqual([...codes].toSorted());
  });

  it('lists the codes of the API in the order of the OpenAPI document, with a row that can be linked to', () => {
    const rows = [...documentation.matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` /gm)];
    expect(rows.map(([, anchor]) => anchor)).toEqual(rows.map(([, , code]) => code));
    expect(rows.map(([, , code]) => code)).toEqual(API_ERROR_CODES);
  });

  it('has no code that nothing throws', () => {
    const all = sources.join('');
    const codes = [...API_ERROR_CODES, ...DASHBOARD_ERROR_CODES, ...COMMAND_ERROR_CODES];
    expect(codes.filter((code) => !all.includes(`'${code}'`))).toEqual([]);
  });

  it('gives each code the status that the API returns', () => {
    const statuses = new Map([...documented('the API'), ...documented('the dashboard')]);
    const thrown = sources.flatMap((text) => [...text.matchAll(/new (\w+Error)\(([\s\S]*?)\);/g)]);
    const returned = thrown.flatMap(([, name, args]) =>
      [...args!.matchAll(/'([a-z]+(?:_[a-z0-9]+)+)'/g)].flatMap(([, code]) =>
        STATUS_OF[name!] === undefined ? [] : [[code!, STATUS_OF[name!]] as const],
      ),
    );
    expect(returned.length).toBeGreaterThan(15);
    expect(returned.filter(([code, status]) => (statuses.get(code) ?? status) !== status)).toEqual([]);
  });
});

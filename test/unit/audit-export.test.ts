import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { csvCell, exportAudit } from '../../src/accounts/read-audit';
import type { AuditEntry } from '../../src/accounts/audit-store';
import { endpointChanges } from '../../src/domain/endpoint-changes';

const entry = (name: string): AuditEntry => ({
  ...{ _id: 'aud_1', at: new Date(0), account_id: 'acc_1', actor: { type: 'user', id: 'usr_1', name } },
  ...{ action: 'endpoint.changed', object: 'ep_1', address: null },
  changes: [{ field: 'url', from: 'a.example', to: 'b.example' }, { field: 'secret' }],
});

it('the export is CSV with a header line and a line for each entry', async () => {
  const audit = { page: () => Promise.resolve([entry('a "quoted", name')]) };
  let text = '';
  for await (const lines of exportAudit({ audit }, { accountId: 'acc_1' })) text += lines;
  const [row] = parse<Record<string, string>>(text, { columns: true });
  expect(row).toMatchObject({ id: 'aud_1', actor_name: 'a "quoted", name', object: 'ep_1', address: '' });
  expect(row).toMatchObject({ changes: 'url: a.example → b.example; secret' });
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1'])(
  '%j is not a formula in a spreadsheet',
  (text) => {
    expect(csvCell(text)).toBe(`"'${text}"`);
  },
);

it('a CSV cell reads back as it was written, apart from the apostrophe, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const read = parse(`${csvCell(text)}\r\n`)[0]?.[0];
      expect([text, `'${text}`]).toContain(read);
      expect(read).not.toMatch(/^\s*[=+\-@\t\r\n]/);
    }),
  );
});

const ENDPOINT = {
  ...{ url: 'https://a.example/path?token=hush', events: ['order.*'], description: 'hush', status: 'active' },
  ...{ secret: { sealed: 'hush' }, options: { max_per_second: 5, headers: { sealed: 'hush' } } },
};

it('a changed endpoint is described by fields and hosts, without paths or secrets', () => {
  const after = {
    ...{ ...ENDPOINT, url: 'https://user:hush@b.example:8443/other', description: 'hush too' },
    ...{
      options: { headers: { sealed: 'hush more' }, ordered: true, filter: '{"hush":1}' },
      secret: { sealed: 'next' },
    },
  };
  const changes = endpointChanges(ENDPOINT, after);
  expect(changes).toEqual([
    { field: 'url', from: 'a.example', to: 'b.example:8443' },
    { field: 'description' },
    { field: 'options.max_per_second', from: '5' },
    { field: 'options.headers' },
    { field: 'options.ordered', to: 'true' },
    { field: 'options.filter' },
    { field: 'secret' },
  ]);
  const moved = { ...ENDPOINT, url: 'https://a.example/other?token=hush' };
  expect(endpointChanges(ENDPOINT, moved)).toEqual([{ field: 'url' }]);
  expect(JSON.stringify([changes, endpointChanges(null, after), endpointChanges(after, null)])).not.toMatch(/hush/);
});

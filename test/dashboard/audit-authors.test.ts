import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createCli } from '../../src/cli';
import { AUDIT_ACTIONS, type AuditAction } from '../../src/domain/audit-actions';
import { apiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';
import { useTemporaryFolder } from '../support/temporary-folder';
import { signedUp, useDashboardStack } from './browser';

// Who did it, and from where: the audit log must not be signed with another person's name.

const stack = useDashboardStack();
const { json, printed } = cliOf(stack);
const folder = useTemporaryFolder();
const OPERATOR = { type: 'cli', id: userInfo().username, name: 'command line' };

it.each([
  'bob.boss@safety.test',
  'Bob <bob＠safety.test>',
  'Everpost',
  ' EVERPOST ',
  'command line',
  'a\u202eb',
  'a\nb',
  'Ever\u200bpost',
  'Ever\u00adpost',
  'Ｅｖｅｒｐｏｓｔ',
  'command\u00a0 line',
  'command\ufe0f line',
  'bob﹫safety.test',
])('a key can not have the label %j', async (label) => {
  const { browser } = await signedUp(stack);
  const answer = await browser.post('/keys', { product: 'weh', label });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_label']);
});

it('every list of the log shows the type and the id of an author, whatever the name', async () => {
  const owner = await signedUp(stack);
  const { body: made } = await owner.browser.post('/keys', { product: 'weh', label: 'Everpost system' });
  const { id } = (await owner.browser.post('/webhooks/endpoints', { url: 'https://example.com/' })).body;
  expect((await apiClient(stack.url, made.key).get(`/api/v1/webhooks/endpoints/${id}/secret`)).status).toBe(200);

  const rows = await json<Record<string, string>[]>('audit', 'list', '--account', owner.accountId);
  expect(rows.find(({ action }) => action === 'secret.revealed')).toMatchObject({
    actor_type: 'key',
    actor: 'Everpost system',
    actor_id: made.id,
    address: '127.0.0.1',
  });
  expect(await printed('audit', 'list', '--account', owner.accountId)).toContain(made.id);
  const { body } = await owner.browser.get('/audit?action=audit.read');
  expect(body.entries[0].actor).toEqual(OPERATOR);
});

it('a wrong current password at a change leaves an entry with the address', async () => {
  const owner = await signedUp(stack);
  const next = 'another-canoe-8-thicket';
  expect((await owner.browser.post('/password', { current_password: 'wrong', new_password: next })).status).toBe(403);
  const { body } = await owner.browser.get('/audit?action=password.refused');
  expect(body.entries).toMatchObject([
    { actor: { type: 'user', id: owner.userId }, object: owner.userId, address: expect.stringMatching(/\d/) },
  ]);
});

it('a change of the catalog leaves an entry in the log of operators, and a dry run leaves none', async () => {
  const file = join(folder(), 'prices.csv');
  const [names, row] = readFileSync(join('src', 'estimator', 'catalog.csv'), 'utf8').split('\n');
  writeFileSync(file, `${names}\n${row}\n`);
  const entries = async () =>
    (await json<Record<string, string>[]>('audit', 'list', '--account', 'none')).filter(({ action }) =>
      action!.startsWith('catalog.'),
    );

  await json('catalog', 'import', file, '--dry-run');
  await json('catalog', 'reset', '--dry-run');
  expect(await entries()).toEqual([]);
  await json('catalog', 'import', file);
  await json('catalog', 'reset');

  expect((await entries()).map(({ action, actor_id: id }) => [action, id])).toEqual([
    ['catalog.reset', OPERATOR.id],
    ['catalog.imported', OPERATOR.id],
  ]);
});

it('a key shows the address of its last use', async () => {
  const { browser } = await signedUp(stack);
  const { body: made } = await browser.post('/keys', { product: 'weh', label: 'CI' });
  await apiClient(stack.url, made.key).get('/api/v1/keys/self');
  const used = await eventually(
    async () => (await browser.get('/keys')).body.keys.find((key: { id: string }) => key.id === made.id),
    ({ last_used_at: at }) => at !== null,
  );
  expect(used.last_used_address).toBe('127.0.0.1');
});

/** The commands that change nothing that is stored. */
const READS = [
  ...[
    'listen',
    'account list',
    'account show',
    'key list',
    'admin-key list',
    'secrets check',
    'user list',
    'endpoint list',
    'replay list',
    'replay status',
    'rehearse',
  ],
  ...[
    'audit verify',
    'erasure list',
    'erasure status',
    'event-type list',
    'event-type show',
    'catalog show',
    'usage',
    'report',
  ],
];

/** The others, with the entry that each leaves. */
const LEAVES: Readonly<Record<string, AuditAction>> = {
  'account create': 'account.created',
  'account put': 'account.created',
  'account set-tier': 'account.tier_changed',
  'account suspend': 'account.suspended',
  'account resume': 'account.resumed',
  'account delete': 'account.deletion_started',
  'key create': 'key.created',
  'key revoke': 'key.revoked',
  'admin-key create': 'key.created',
  'admin-key revoke': 'key.revoked',
  'user create': 'user.created',
  'user delete': 'user.deleted',
  'user grant-operator': 'user.operator_changed',
  'user revoke-operator': 'user.operator_changed',
  'user reset-password': 'password.reset',
  'user setup-link': 'user.setup_link_created',
  'endpoint pause': 'endpoint.paused',
  'endpoint resume': 'endpoint.resumed',
  'endpoint cancel-deliveries': 'endpoint.deliveries_cancelled',
  'delivery retry': 'delivery.retried',
  'delivery cancel': 'delivery.cancelled',
  'delivery replay': 'delivery.replayed',
  'delivery create': 'delivery.created',
  'replay recover': 'endpoint.recovered',
  'replay pause': 'replay.changed',
  'replay resume': 'replay.changed',
  'replay set-rate': 'replay.changed',
  'replay cancel': 'replay.cancelled',
  'event erase': 'event.data_erased',
  'erasure start': 'erasure.created',
  'event-type import': 'event_type.created',
  'event-type archive': 'event_type.changed',
  'catalog import': 'catalog.imported',
  'catalog reset': 'catalog.reset',
  'secrets reseal': 'secrets.resealed',
  'audit list': 'audit.read',
  'audit export': 'audit.read',
};

it('every command either only reads, or leaves an entry', () => {
  const names = (command: Command, before = ''): string[] =>
    command.commands.length === 0
      ? [`${before}${command.name()}`]
      : command.commands.flatMap((inner) => names(inner, `${before}${command.name()} `));
  // `start` is there only in a package.
  const all = createCli(stack.config, () => undefined)
    .commands.flatMap((command) => names(command))
    .filter((name) => name !== 'start');
  expect(all.toSorted()).toEqual([...READS, ...Object.keys(LEAVES)].toSorted());
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('audit-actions.ts'))
    .map((file) => readFileSync(join('src', file), 'utf8'))
    .join('\n');
  for (const action of AUDIT_ACTIONS) expect([action, sources.includes(`'${action}'`)]).toEqual([action, true]);
});

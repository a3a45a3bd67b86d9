import { expectError } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';

const PATH = '/api/v1/webhooks/endpoints';

const stack = useStack({ role: 'api' });
const api = useCaller(stack, 'test');

/** An endpoint, and the tag of its first state. */
async function register(body: object = {}): Promise<{ path: string; tag: string }> {
  const created = await api.post(PATH, { url: 'https://example.com/hook', description: 'First', ...body });
  expect(created.status).toBe(201);
  return { path: `${PATH}/${created.body.id}`, tag: created.headers.get('ETag')! };
}

const tagOf = async (path: string) => (await api.get(path)).headers.get('ETag')!;

const change = (path: string, description: string, tag: string) =>
  api.patch(path, { description }, { 'If-Match': tag });

describe('ETag of an endpoint', () => {
  it('is its updated_at in quotes, in each answer that has one endpoint', async () => {
    const { path, tag } = await register();
    const paused = await api.post(`${path}/pause`);
    const answers = [
      await api.get(path),
      await api.patch(path, { description: 'Second' }),
      await api.post(`${path}/resume`),
      await api.post(`${path}/verify`),
      await api.get(path),
    ];
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const { status, headers, body } of [paused, ...answers]) {
      expect([status, headers.get('ETag')]).toEqual([200, `"${body.updated_at}"`]);
    }
    expect((await api.get(PATH)).headers.get('ETag')).toBeNull();
  });

  it('changes with what the owner changes, also with secrets, which no answer shows, and with nothing else', async () => {
    const authentication = (token: string) => ({ options: { authentication: { type: 'bearer', token } } });
    const { path, tag } = await register(authentication('one'));
    await api.ingest();
    expect(await tagOf(path)).toBe(tag);
    const tags = [tag];
    const changes = [
      () => api.patch(path, authentication('two')),
      () => api.post(`${path}/pause`),
      () => api.post(`${path}/secret/rotate`),
      () => api.post(`${path}/secret/activate`),
    ];
    for (const make of changes) {
      await make();
      tags.push(await tagOf(path));
    }
    expect(new Set(tags).size).toBe(5);
  });

  it('is another one after each change, even if the clock of the database was set back', async () => {
    const { path } = await register();
    const later = new Date(Date.now() + 3_600_000);
    await stack.mongo.db
      .collection<{ _id: string }>('endpoints')
      .updateOne({ _id: path.slice(PATH.length + 1) }, { $set: { updated_at: later } });
    const tag = await tagOf(path);
    expect(tag).toBe(`"${later.toISOString()}"`);
    const changed = await change(path, 'Second', tag);
    expect(changed.headers.get('ETag')).toBe(`"${new Date(later.getTime() + 1).toISOString()}"`);
    expectError(await change(path, 'Third', tag), 412, { code: 'precondition_failed' });
  });
});

describe('If-Match of PATCH /api/v1/webhooks/endpoints/{endpoint_id}', () => {
  it('the current tag, alone or among others, and * let it change', async () => {
    const { path, tag } = await register();
    const second = await change(path, 'Second', `"a,b" , ${tag}`);
    const third = await change(path, 'Third', second.headers.get('ETag')!);
    const fourth = await change(path, 'Fourth', ' * ');
    expect([second, third, fourth].map(({ status, body }) => [status, body.description])).toEqual([
      [200, 'Second'],
      [200, 'Third'],
      [200, 'Fourth'],
    ]);
  });

  it('412 and no change for a tag of an earlier state, of another endpoint, and for a weak one', async () => {
    const { path, tag } = await register();
    const changed = await api.patch(path, { description: 'Second' });
    const current = changed.headers.get('ETag')!;
    for (const header of [tag, '"x"', '""', `W/${current}`]) {
      expectError(await change(path, 'Third', header), 412, { code: 'precondition_failed' });
      expectError(await api.patch(path, {}, { 'If-Match': header }), 412, { code: 'precondition_failed' });
    }
    const { health: _, ...endpoint } = (await api.get(path)).body;
    expect(endpoint).toEqual(changed.body);
  });

  it.each(['2026-11-21T12:00:00.000Z', '"a" "b"', '"a', 'w/"a"', '*, "a"', ''])('400 for %j', async (header) => {
    const { path } = await register();
    expectError(await change(path, 'Second', header), 400, {
      code: 'invalid_request',
      details: [{ path: 'If-Match', message: 'must be "*" or entity tags in quotes, as in the header ETag' }],
    });
  });

  it('404, whatever it is, for an endpoint that does not exist', async () => {
    const unknown = `${PATH}/ep_${'0'.repeat(26)}`;
    for (const header of ['*', '"a"']) {
      expectError(await change(unknown, 'Second', header), 404, { code: 'endpoint_not_found' });
    }
  });

  it('lets exactly one of many changes at once through, in each of ten rounds', async () => {
    const { path } = await register();
    for (let round = 0; round < 10; round += 1) {
      const tag = await tagOf(path);
      const texts = Array.from({ length: 8 }, (_, index) => `${round}/${index}`);
      const answers = await Promise.all(texts.map((text) => change(path, text, tag)));
      const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
      expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
      const winner = answers.find(({ status }) => status === 200)!;
      expect((await api.get(path)).body.description).toBe(winner.body.description);
    }
  });

  it('lets none through that lost against a change without it', async () => {
    const { path } = await register();
    for (let round = 0; round < 10; round += 1) {
      const tag = await tagOf(path);
      const [guarded, plain] = await Promise.all([
        change(path, 'Guarded', tag),
        api.patch(path, { options: { max_per_second: round + 1 } }),
      ]);
      expect(plain.status).toBe(200);
      // Either it came first, or it was refused.
      const cameFirst = guarded.status === 200 && guarded.body.updated_at < plain.body.updated_at;
      expect(cameFirst || guarded.status === 412).toBe(true);
    }
  });
});

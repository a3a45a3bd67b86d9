import { apiClient } from '../support/api-client';
import { buildLoggedRole } from '../support/build-api';
import { buildConfig } from '../support/build-stack';
import { createMongo } from '../../src/platform/mongo';
import { BEHIND_PROXY, buildBrowser, newEmail, PASSWORD, randomAddress } from './browser';

it('no password, session, key, secret or data is in the log at its most verbose', async () => {
  const config = await buildConfig(BEHIND_PROXY);
  const role = await buildLoggedRole(config, 'api');
  const mongo = createMongo(config.mongodb.uri!);
  try {
    const browser = buildBrowser(role.url, { 'X-Forwarded-For': randomAddress() });
    const wrong = 'not-this-one-at-all';
    const email = newEmail();
    const next = 'copper-lantern-4-orbit';
    await browser.post('/sign-up', { email, password: PASSWORD });
    const token = browser.cookies.get('everpost_session')!;
    await browser.post('/sign-in', { email, password: wrong });
    await browser.post('/password', { current_password: PASSWORD, new_password: next });
    const { key } = (await browser.post('/keys', { product: 'weh', label: 'x' })).body;
    const { id, secret } = (await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook?token=t0k3n' }))
      .body;
    expect((await browser.get(`/webhooks/endpoints/${id}/secret`)).body.secret).toBe(secret);
    await apiClient(role.url, key as string).post('/api/v1/webhooks/events', { type: 'a', data: { private: 'd4t4' } });
    await browser.post('/setup', { token: 'guessed-token', email: newEmail(), password: PASSWORD });
    // A path with a secret in it, as a user may paste it.
    await browser.get(`/nothing/${token}?password=${wrong}`);
    await browser.post('/sign-in', `{"email":"${email}","password":"${wrong}"`);
    // What MongoDB refuses, it quotes.
    await mongo.db.command({ collMod: 'sessions', validator: { nothing: true } });
    await browser.post('/sign-in', { email, password: next });
    await browser.post('/sign-out');

    const log = role.log();
    expect(log).toContain('"route":"/dashboard/api/sign-in"');
    const secrets = [PASSWORD, wrong, next, token, key, secret, 't0k3n', 'd4t4', 'guessed-token', '$argon2id'];
    expect(secrets.filter((text) => log.includes(String(text)))).toEqual([]);
  } finally {
    await role.close();
    await mongo.db.dropDatabase();
    await mongo.close();
  }
});

import fc from 'fast-check';
import { loadConfig } from '../../src/config';
import { parseProxy } from '../../src/parse-settings';

describe('DELIVERY_PROXY', () => {
  it.each([
    ['http://proxy.example', 'http://proxy.example', undefined],
    ['http://proxy.example:4750/', 'http://proxy.example:4750', undefined],
    ['https://[2001:db8::1]:3128', 'https://[2001:db8::1]:3128', undefined],
    ['http://u:p%40s%3As@proxy.example', 'http://proxy.example', 'u:p@s:s'],
    ['http://token@proxy.example', 'http://proxy.example', 'token:'],
  ])('%s', (text, url, credentials) => {
    const proxy = parseProxy(text);

    expect(proxy.url).toBe(url);
    expect(proxy.authorization).toBe(credentials && `Basic ${Buffer.from(credentials).toString('base64')}`);
  });

  it.each([
    ['proxy.example:4750', 'must be a URL such as'],
    ['socks5://u:very-secret@proxy.example', 'must be a URL such as'],
    ['http://u:very-secret@', 'must be a URL such as'],
    ['http://u:very/secret@proxy.example', 'must be a URL such as'],
    ['http://u:p@proxy.example/very-secret', 'must not have a path'],
    ['http://u:p@proxy.example/?very-secret', 'must not have a path'],
    ['http://u:very-secret%@proxy.example', 'URI malformed'],
  ])("%s is refused, and the error doesn't repeat it", (text, words) => {
    const load = () => loadConfig({ DELIVERY_PROXY: text });

    expect(load).toThrow(`DELIVERY_PROXY: ${words}`);
    expect(load).not.toThrow(/very|secret/);
  });

  it('accepts any percent-encoded credentials', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (user, password) => {
        const { authorization, url } = parseProxy(
          `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@proxy.example`,
        );
        expect(Buffer.from(authorization!.slice(6), 'base64').toString()).toBe(`${user}:${password}`);
        expect(url).toBe('http://proxy.example');
      }),
    );
  });
});

describe('alerts', () => {
  const MAIL = { ALERT_EMAIL_TO: 'ops@example.com, night@example.com', ALERT_EMAIL_FROM: 'everpost@example.com' };
  const SMTP_URL = 'smtps://everpost:very-secret@mail.example.com';

  it('are off by default', () => {
    expect(loadConfig({}).alerts).toEqual({ mail: undefined, webhookUrl: undefined });
  });

  it('go to every address and to the chat', () => {
    const { alerts } = loadConfig({ ...MAIL, SMTP_URL, ALERT_WEBHOOK_URL: 'https://chat.example.com/hook' });
    const to = ['ops@example.com', 'night@example.com'];
    expect(alerts).toEqual({
      mail: { smtpUrl: SMTP_URL, from: 'everpost@example.com', to },
      webhookUrl: 'https://chat.example.com/hook',
    });
  });

  it.each([
    ['addresses without a server', MAIL, 'ALERT_EMAIL_TO: needs SMTP_URL'],
    ['addresses without a sender', { ALERT_EMAIL_TO: 'ops@example.com', SMTP_URL }, 'one address in ALERT_EMAIL_FROM'],
    ['two senders', { ...MAIL, ALERT_EMAIL_FROM: 'a@example.com,b@example.com', SMTP_URL }, 'one address'],
    ['an address that is none', { ...MAIL, ALERT_EMAIL_TO: 'ops', SMTP_URL }, 'ALERT_EMAIL_TO: "ops" is not'],
    ['another scheme', { ...MAIL, SMTP_URL: 'https://u:very-secret@example.com' }, 'SMTP_URL: must be an smtp'],
    ['a chat without a URL', { ALERT_WEBHOOK_URL: 'very-secret' }, 'ALERT_WEBHOOK_URL: must be an http'],
  ])("%s are refused, and the error doesn't repeat secrets", (_title, env, words) => {
    const load = () => loadConfig(env);
    expect(load).toThrow(words);
    expect(load).not.toThrow(/very-secret/);
  });
});

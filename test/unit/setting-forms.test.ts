import fc from 'fast-check';
import { loadConfig } from '../../src/config';
import { parseProxy } from '../../src/parse-settings';

describe('DELIVERY_PROXY', () => {
  it.each([
    ['http://proxy.example', 'http://proxy.example/', undefined],
    ['http://proxy.example:4750/', 'http://proxy.example:4750/', undefined],
    ['https://[2001:db8::1]:3128', 'https://[2001:db8::1]:3128/', undefined],
    ['http://u:p%40s%3As@proxy.example', 'http://proxy.example/', 'u:p@s:s'],
    ['http://token@proxy.example', 'http://proxy.example/', 'token:'],
  ])('%s', (text, url, credentials) => {
    const proxy = parseProxy(text);

    expect(proxy.url.href).toBe(url);
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
        expect(url.href).toBe('http://proxy.example/');
      }),
    );
  });
});

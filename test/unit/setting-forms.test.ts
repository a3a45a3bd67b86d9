import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { makeCertificate } from '../../dev/certificate';
import { ConfigError, loadConfig } from '../../src/config';
import { parseProxy } from '../../src/parse-settings';
import { createLogger } from '../../src/platform/logger';
import { startProcesses } from '../../src/processes/start-processes';
import { useTemporaryFolder } from '../support/temporary-folder';

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
    ['a server without addresses', { SMTP_URL }, 'SMTP_URL: needs ALERT_EMAIL_TO'],
    ['a sender without addresses', { ALERT_EMAIL_FROM: 'a@example.com' }, 'ALERT_EMAIL_FROM: needs ALERT_EMAIL_TO'],
    ['addresses without a sender', { ALERT_EMAIL_TO: 'ops@example.com', SMTP_URL }, 'one address in ALERT_EMAIL_FROM'],
    ['two senders', { ...MAIL, ALERT_EMAIL_FROM: 'a@example.com,b@example.com', SMTP_URL }, 'one address'],
    ['an address that is none', { ...MAIL, ALERT_EMAIL_TO: 'ops', SMTP_URL }, 'ALERT_EMAIL_TO: "ops" is not'],
    ['another scheme', { ...MAIL, SMTP_URL: 'https://u:very-secret@example.com' }, 'SMTP_URL: must be an smtp'],
    ['a chat without a URL', { ALERT_WEBHOOK_URL: 'very-secret' }, 'ALERT_WEBHOOK_URL: must be an http'],
    ['a password of a chat', { ALERT_WEBHOOK_URL: 'https://u:very-secret@x.example' }, 'must not contain a user'],
  ])("%s are refused, and the error doesn't repeat secrets", (_title, env, words) => {
    const load = () => loadConfig(env);
    expect(load).toThrow(words);
    expect(load).not.toThrow(/very-secret/);
  });
});

describe('servers', () => {
  it.each(['1', '2'])('are asked for by a role of %s processes', async (PROCESSES) => {
    const starting = startProcesses('api', loadConfig({ PROCESSES }), createLogger('silent'));
    await expect(starting).rejects.toThrow(ConfigError);
    await expect(starting).rejects.toThrow('Set MONGODB_URI, TEMPORAL_ADDRESS and ENCRYPTION_KEY');
  });

  it.each([
    'mongodb://127.0.0.1:27017/everpost?replicaSet=rs0',
    'mongodb+srv://everpost:p%40ss@cluster0.example.mongodb.net/everpost',
    'mongodb://a.example:27017,b.example:27018/?tls=true&maxPoolSize=10',
  ])('%s is accepted', (uri) => {
    expect(loadConfig({ MONGODB_URI: uri }).mongodb.uri).toBe(uri);
  });

  it.each([
    ['127.0.0.1:27017', 'MONGODB_URI: Invalid scheme'],
    ['mongodb://u:very@secret@db.example/', 'MONGODB_URI: '],
    ['mongodb://u:very-secret@db.example:99999/', 'MONGODB_URI: '],
    ['mongodb://u:very-secret@db.example/?replicSet=rs0', 'MONGODB_URI: option replicset is not supported'],
  ])("%s is refused, and the error doesn't repeat its password", (uri, words) => {
    const load = () => loadConfig({ MONGODB_URI: uri });
    expect(load).toThrow(words);
    expect(load).toThrow(ConfigError);
    expect(load).not.toThrow(/very|secret/);
  });

  it.each(['temporal:7233', 'shop.a1b2c.tmprl.cloud:7233', '127.0.0.1:7233', '[2001:db8::1]:7233', 'temporal'])(
    'TEMPORAL_ADDRESS may be %s',
    (address) => {
      expect(loadConfig({ TEMPORAL_ADDRESS: address }).temporal.address).toBe(address);
    },
  );

  it.each(['http://temporal:7233', 'temporal:7233/default', 'temporal:', '2001:db8::1'])(
    'TEMPORAL_ADDRESS may not be %s',
    (address) => {
      expect(() => loadConfig({ TEMPORAL_ADDRESS: address })).toThrow('TEMPORAL_ADDRESS: must be host:port');
    },
  );
});

it.each(['temporal:99999', 'temporal:0', '[2001:db8::1]:65536'])('TEMPORAL_ADDRESS may not be %s', (address) => {
  const load = () => loadConfig({ TEMPORAL_ADDRESS: address });
  expect(load).toThrow('TEMPORAL_ADDRESS: must have a port from 1 to 65535');
});

describe('NODE_ENV', () => {
  it.each([
    ['production', true],
    ['development', false],
    ['test', false],
    ['', false],
  ])('may be "%s"', (NODE_ENV, production) => {
    expect(loadConfig({ NODE_ENV }).production).toBe(production);
  });

  it.each(['prod', 'Production', 'staging'])('may not be %s', (NODE_ENV) => {
    expect(() => loadConfig({ NODE_ENV })).toThrow(/NODE_ENV: .*"development".*"test".*"production"/);
  });
});

describe('ENCRYPTION_KEY', () => {
  const KEY = `${'+/Az'.repeat(10)}09A=`;

  it.each([KEY, `${KEY},${KEY}`, ` ${KEY} , ${KEY}\n`])('may be %j', (key) => {
    expect(new Set(loadConfig({ ENCRYPTION_KEY: key }).encryptionKeys)).toEqual(new Set([KEY]));
  });

  it.each([
    ['a character is wrong', KEY.replace('z', '*z')],
    ['it is quoted', `"${KEY}"`],
    ['a blank is in it', KEY.replace('z', 'z ')],
    ['it is too short', KEY.slice(4)],
    ['something follows', `${KEY}${KEY}`],
    ['it has no padding', KEY.slice(0, -1)],
    ['it is for URLs', KEY.replaceAll('+', '-').replaceAll('/', '_')],
    ['it is in hexadecimal', 'A'.repeat(64)],
    ['the second is wrong', `${KEY},*${KEY}`],
  ])("is refused if %s, and the error doesn't repeat it", (_title, key) => {
    const load = () => loadConfig({ ENCRYPTION_KEY: key });
    expect(load).toThrow('ENCRYPTION_KEY: each key must be 32 bytes in base64, as `openssl rand -base64 32` prints');
    expect(load).not.toThrow(/Az|AAAA/);
  });
});

describe('ranges of addresses', () => {
  it.each(['10.0.0.0/8', '203.0.113.7/32', '0.0.0.0/0', '2001:db8::/32', '::1/128'])('may be %s', (range) => {
    expect(loadConfig({ DELIVERY_DENY_CIDRS: range }).delivery.policy.denyCidrs).toEqual([range]);
  });

  it.each(['10/8', '10.1/16', '010.0.0.0/8', '0x0a.0.0.0/8', '10.0.0.1', '10.0.0.0/33', '2001:db8::/129'])(
    'may not be %s, which the library reads as another range or not at all',
    (range) => {
      for (const setting of ['DELIVERY_DENY_CIDRS', 'DELIVERY_ALLOW_CIDRS', 'TRUSTED_PROXIES']) {
        expect(() => loadConfig({ [setting]: range })).toThrow(`${setting}: "${range}" is not a CIDR range`);
      }
    },
  );
});

it('ranges of addresses may not be IPv4-mapped, which match no IPv4 address', () => {
  for (const setting of ['DELIVERY_DENY_CIDRS', 'DELIVERY_ALLOW_CIDRS', 'TRUSTED_PROXIES']) {
    const load = () => loadConfig({ [setting]: '192.0.2.0/24, ::ffff:10.0.0.0/104' });
    expect(load).toThrow(`${setting}: "::ffff:10.0.0.0/104" is IPv4-mapped: write an IPv4 range such as 10.0.0.0/8`);
  }
});

describe('lists', () => {
  it.each([
    'DELIVERY_ALLOW_PORTS',
    'DELIVERY_DENY_CIDRS',
    'TRUSTED_PROXIES',
    'ALLOWED_HOSTS',
    'ENCRYPTION_KEY',
    'ALERT_EMAIL_TO',
  ])('%s may not be of commas alone', (setting) => {
    expect(() => loadConfig({ [setting]: ' , ' })).toThrow(`${setting}: has nothing between its commas`);
  });

  it('may end with a comma', () => {
    const [port] = loadConfig({ DELIVERY_ALLOW_PORTS: '443,' }).delivery.policy.allowPorts;
    expect(port).toEqual({ from: 443, to: 443 });
  });
});

describe.each(['PUBLIC_URL', 'TEMPORAL_UI_URL'])('%s', (setting) => {
  it.each(['https://everpost.example.com/?tenant=1', 'https://everpost.example.com/#/hooks', 'https://x.example?'])(
    'may not be %s, because paths are appended to it',
    (url) => {
      expect(() => loadConfig({ [setting]: url })).toThrow(`${setting}: must not have a query or a fragment`);
    },
  );

  it.each(['https://me:secret@example.com', 'https://me@example.com/hooks'])(
    'may not be %s, because it is shown to users',
    (url) => {
      expect(() => loadConfig({ [setting]: url })).toThrow(`${setting}: must not have a user name or a password`);
    },
  );

  it('may have a path, with or without a slash at its end', () => {
    for (const url of ['https://example.com/hooks', 'https://example.com/hooks/']) {
      const { publicUrl, dashboard } = loadConfig({ [setting]: url });
      expect(publicUrl ?? dashboard.temporalUiUrl).toBe('https://example.com/hooks');
    }
  });
});

describe('TIERS', () => {
  it('may not have a tier twice', () => {
    const tier = { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 };
    const load = () => loadConfig({ TIERS: JSON.stringify([tier, { ...tier, monthlyQuota: 5_000 }]) });
    expect(load).toThrow('TIERS: the tier "free" is there twice');
  });
});

it('a blank value counts as not set', () => {
  const blank = Object.fromEntries(['PORT', 'HOST', 'DELIVERY_ALLOW_PORTS', 'MONGODB_URI'].map((name) => [name, ' ']));
  expect(loadConfig(blank)).toEqual(loadConfig({}));
});

describe("Temporal's own settings", () => {
  const folder = useTemporaryFolder();
  const tlsOf = (env: object) => loadConfig({ HOME: folder(), ...env }).temporal.connection.tls;

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('TEMPORAL_TLS may be %s', (TEMPORAL_TLS, isOn) => {
    expect(Boolean(tlsOf({ TEMPORAL_TLS }))).toBe(isOn);
  });

  it.each([
    ['another word for true', { TEMPORAL_TLS: 'yes' }, /TEMPORAL_TLS: .*"true".*"false"/],
    ['no check of names', { TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: 'true' }, 'HOST_VERIFICATION: is not supported'],
    ['a certificate alone', { TEMPORAL_TLS_CLIENT_CERT_DATA: 'PEM' }, 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
    ['a key alone', { TEMPORAL_TLS_CLIENT_KEY_DATA: 'PEM' }, 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
    ['a file that is not there', { TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }, '/nowhere/temporal.toml'],
    ['a certificate that is none', { TEMPORAL_TLS_CLIENT_CERT_PATH: __filename }, /^TEMPORAL_TLS_CLIENT_CERT_PATH: /],
    ['an authority that is none', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: __filename }, /^TEMPORAL_TLS_SERVER_CA_CERT_PA/],
    ['a private key that is none', { TEMPORAL_TLS_CLIENT_KEY_PATH: __filename }, /^TEMPORAL_TLS_CLIENT_KEY_PATH: /],
  ])('%s is refused', (_title, env, words) => {
    const load = () => loadConfig({ HOME: folder(), ...env });
    expect(load).toThrow(words);
    expect(load).toThrow(ConfigError);
  });

  it('name a file that is no TOML, and quote nothing of it', () => {
    const file = join(folder(), 'temporal.toml');
    writeFileSync(file, '[profile.default]\napi_key = "very-secret"\nbad key\n');
    const load = () => loadConfig({ TEMPORAL_CONFIG_FILE: file });
    expect(load).toThrow(`TEMPORAL_CONFIG_FILE is ${file}): Invalid TOML document`);
    expect(load).not.toThrow(/secret/);
  });

  it('take the certificates and keys that OpenSSL makes', async () => {
    const { key, cert } = await makeCertificate();
    const [keyFile, certFile] = [join(folder(), 'key.pem'), join(folder(), 'cert.pem')];
    writeFileSync(keyFile, key);
    writeFileSync(certFile, cert);
    const tls = tlsOf({
      TEMPORAL_TLS_CLIENT_CERT_PATH: certFile,
      TEMPORAL_TLS_CLIENT_KEY_PATH: keyFile,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certFile,
    });
    expect(tls).toMatchObject({ clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } });
  });

  it('may be in a file', () => {
    const file = join(folder(), 'temporal.toml');
    writeFileSync(file, '[profile.cloud]\nnamespace = "shop.a1b2c"\napi_key = "key"\n');
    const { temporal } = loadConfig({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cloud' });
    expect(temporal).toMatchObject({ namespace: 'shop.a1b2c', connection: { apiKey: 'key', tls: true } });
  });
});

describe('switches', () => {
  it.each(['DELIVERY_ALLOW_HTTP', 'EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION', 'OTEL_SDK_DISABLED'])(
    '%s may not be another word',
    (setting) => {
      expect(() => loadConfig({ [setting]: 'on' })).toThrow(new RegExp(`${setting}: .*"true"\\|"false"`));
    },
  );
});

describe('certificates to trust', () => {
  const folder = useTemporaryFolder();

  it.each(['DELIVERY_CA_FILE', 'NODE_EXTRA_CA_CERTS'])('%s must name a file of certificates', async (setting) => {
    const { key, cert } = await makeCertificate();
    const fileOf = (name: string, content: string): string => {
      const path = join(folder(), name);
      writeFileSync(path, content);
      return path;
    };
    const load = (path: string) => loadConfig({ [setting]: path }).delivery.extraCaPem;

    expect(load(fileOf('both.pem', `# two\n${cert}\n${cert}`))).toEqual([`# two\n${cert}\n${cert}`]);
    const bad = { 'key.pem': key, 'empty.pem': '', 'cut.pem': `${cert}\n${cert.slice(0, -60)}` };
    for (const [name, content] of Object.entries(bad)) {
      const loadBad = () => load(fileOf(name, content));
      expect(loadBad).toThrow(new RegExp(`${setting}: .*${name}`));
      expect(loadBad).toThrow(ConfigError);
    }
    expect(() => load(join(folder(), 'nowhere.pem'))).toThrow(new RegExp(`${setting}: .*nowhere.pem`));
  });
});

describe('a file that is missing', () => {
  const OTEL = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example' };

  it.each<[string, Record<string, string>]>([
    ['TEMPORAL_CONFIG_FILE', {}],
    ['TEMPORAL_TLS_CLIENT_CERT_PATH', {}],
    ['TEMPORAL_TLS_CLIENT_KEY_PATH', {}],
    ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', {}],
    ['DELIVERY_CA_FILE', {}],
    ['NODE_EXTRA_CA_CERTS', {}],
    ['OTEL_EXPORTER_OTLP_CERTIFICATE', OTEL],
    ['OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY', OTEL],
  ])('of %s is refused by the name of the setting', (name, others) => {
    const load = () => loadConfig({ ...others, [name]: '/nonexistent/file.pem' });

    expect(load).toThrow(ConfigError);
    expect(load).toThrow(name);
    expect(load).toThrow('/nonexistent/file.pem');
  });
});

describe('a file that MONGODB_URI names', () => {
  it.each(['tlsCAFile', 'tlsCRLFile', 'tlsCertificateKeyFile'])('as %s must be there', (option) => {
    const uri = `mongodb://everpost:very-secret@db.example/?tls=true&${option}=/nonexistent/file.pem`;
    const load = () => loadConfig({ MONGODB_URI: uri });

    expect(load).toThrow(ConfigError);
    expect(load).toThrow(`MONGODB_URI: the file /nonexistent/file.pem of ${option} can't be read: ENOENT`);
    expect(load).not.toThrow(/secret/);
  });
});

describe('ENDPOINT_VERIFICATION', () => {
  const verifies = (env: Record<string, string>): boolean => loadConfig(env).delivery.verifiesHosts;

  it('is on by default where strangers can sign up in production, because they can register hosts of others', () => {
    expect(verifies({ NODE_ENV: 'production', SIGN_UP: 'open' })).toBe(true);
    expect(verifies({ NODE_ENV: 'production', SIGN_UP: 'closed' })).toBe(false);
    expect(verifies({ NODE_ENV: 'production' })).toBe(false);
    expect(verifies({ SIGN_UP: 'open' })).toBe(false);
    expect(verifies({})).toBe(false);
  });

  it('is what the operator says', () => {
    expect(verifies({ NODE_ENV: 'production', SIGN_UP: 'open', ENDPOINT_VERIFICATION: 'off' })).toBe(false);
    expect(verifies({ ENDPOINT_VERIFICATION: 'challenge' })).toBe(true);
  });
});

describe('the budgets of a tier', () => {
  const tierOf = (id: string, tiers: object[] = []) =>
    loadConfig({ TIERS: JSON.stringify(tiers) }).limits.tiers.get(id);

  it('bound the attempts to a receiver in the tier of strangers only, and a day by the calls of a month', () => {
    expect(tierOf('free')).toMatchObject({ attemptsPerReceiver: 300, storedBytesPerDay: 131_072_000 });
    expect(tierOf('developer')).toMatchObject({ attemptsPerReceiver: null, storedBytesPerDay: 2_621_440_000 });
    expect(tierOf('enterprise')).toMatchObject({ attemptsPerReceiver: null, storedBytesPerDay: null });
  });

  it('allow 100 endpoints', () => {
    expect(['free', 'enterprise'].map((id) => tierOf(id)?.endpoints)).toEqual([100, 100]);
  });

  it('are what the operator says', () => {
    const changed = { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 };
    expect(tierOf('free', [{ ...changed, attemptsPerReceiver: null, storedBytesPerDay: null }])).toMatchObject({
      attemptsPerReceiver: null,
      storedBytesPerDay: null,
    });
    expect(tierOf('free', [{ ...changed, attemptsPerReceiver: 7 }])).toMatchObject({ attemptsPerReceiver: 7 });
    expect(() => tierOf('free', [{ ...changed, storedBytesPerDay: 262_143 }])).toThrow(ConfigError);
    expect(tierOf('free', [{ ...changed, endpoints: 1_000 }])).toMatchObject({ endpoints: 1_000 });
    for (const endpoints of [0, 1_001, 1.5, null]) {
      expect(() => tierOf('free', [{ ...changed, endpoints }])).toThrow(ConfigError);
    }
  });
});

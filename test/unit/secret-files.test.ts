import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/config';
import { SECRET_SETTINGS } from '../../src/secret-files';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();

/** A file with a secret. */
function fileOf(content: string | Buffer): string {
  const file = join(folder(), 'secret');
  writeFileSync(file, content);
  return file;
}

const KEY = Buffer.alloc(32, 7).toString('base64');
const VALUES: Readonly<Record<(typeof SECRET_SETTINGS)[number], string>> = {
  ENCRYPTION_KEY: KEY,
  MONGODB_URI: 'mongodb://u:very-secret@mongodb/everpost',
  TEMPORAL_API_KEY: 'very-secret',
  DELIVERY_PROXY: 'http://u:very-secret@proxy.example',
  SMTP_URL: 'smtps://u:very-secret@mail.example.com',
  ALERT_WEBHOOK_URL: 'https://chat.example/very-secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=very-secret',
};
const BESIDE = {
  SMTP_URL: { ALERT_EMAIL_TO: 'a@example.com', ALERT_EMAIL_FROM: 'b@example.com' },
  TEMPORAL_API_KEY: { TEMPORAL_ADDRESS: 'temporal:7233' },
} as Readonly<Record<string, Record<string, string>>>;

describe.each(SECRET_SETTINGS)('%s_FILE', (name) => {
  const beside = BESIDE[name] ?? {};

  it.each([
    ['as it is', ''],
    ['with a newline at its end', '\n'],
    ['with a newline of Windows', '\r\n'],
  ])('is read %s, as if the value were in the environment', (_, end) => {
    const fromFile = loadConfig({ ...beside, [`${name}_FILE`]: fileOf(VALUES[name] + end) });
    const expected = loadConfig({ ...beside, [name]: VALUES[name] });
    expect(JSON.stringify(fromFile)).toBe(JSON.stringify(expected));
  });

  it('is refused beside the setting itself, by name', () => {
    const load = () => loadConfig({ ...beside, [`${name}_FILE`]: fileOf(VALUES[name]), [name]: VALUES[name] });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(`${name}_FILE: ${name} is set too: keep one of them`);
    expect(load).not.toThrow(/very-secret/);
  });

  it('counts as not set while it is empty, and so does the setting', () => {
    expect(() => loadConfig({ ...beside, [`${name}_FILE`]: ' ', [name]: VALUES[name] })).not.toThrow();
    expect(() => loadConfig({ ...beside, [`${name}_FILE`]: fileOf(VALUES[name]), [name]: '' })).not.toThrow();
  });
});

it.each([
  ['no file', () => join(folder(), 'nothing'), 'ENOENT'],
  ['a folder', () => folder(), 'EISDIR'],
  ['an empty file', () => fileOf('\n'), 'it is empty'],
  ['several lines', () => fileOf('very-secret\nvery-secret\n'), 'it has several lines'],
  ['a large file', () => fileOf(Buffer.alloc(100_000, 'x')), 'it has more than 65536 bytes'],
])('refuses %s, by name and without the content', (_, file, words) => {
  const load = () => loadConfig({ SMTP_URL_FILE: file(), PORT: 'x' });
  expect(load).toThrow(new RegExp(`SMTP_URL_FILE: the file .* can't be used: .*${words}`));
  expect(load).toThrow('PORT: ');
  expect(load).not.toThrow(/very-secret/);
});

it('names the file of a secret that has the wrong form', () => {
  const load = () => loadConfig({ ENCRYPTION_KEY_FILE: fileOf('very-secret') });
  expect(load).toThrow('ENCRYPTION_KEY_FILE: each key must be 32 bytes in base64');
  expect(load).not.toThrow(/very-secret/);
});

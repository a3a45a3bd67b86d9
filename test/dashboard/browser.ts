import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { buildStack, useStack, type Stack, type StackOptions } from '../support/build-stack';

/** An answer of the dashboard's API. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at all kinds of bodies
  readonly body: any;
}

/** A browser with a page of the dashboard open: it keeps cookies, and sends the origin of its requests. */
export type Browser = ReturnType<typeof buildBrowser>;

export const PASSWORD = 'marble-canoe-7-thicket';

/** An unused e-mail address. */
export function newEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** @param always headers of every request, over the browser's own */
export function buildBrowser(url: string, always: Record<string, string> = {}) {
  const cookies = new Map<string, string>();

  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<PageAnswer> => {
    const { hostname, port } = new URL(url);
    const all = {
      'Sec-Fetch-Site': 'same-origin',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(cookies.size > 0 && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      ...always,
      ...headers,
    };
    const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path, headers: present }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          for (const line of response.headers['set-cookie'] ?? []) keep(cookies, line);
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  };

  return {
    cookies,
    call,
    get: (path: string) => call('GET', `/dashboard/api${path}`),
    post: (path: string, body?: unknown, headers?: Record<string, string | undefined>) =>
      call('POST', `/dashboard/api${path}`, body, headers),
    delete: (path: string) => call('DELETE', `/dashboard/api${path}`),
    patch: (path: string, body: unknown) => call('PATCH', `/dashboard/api${path}`, body),
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';');
  const [name = '', value = ''] = pair.split('=');
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}

/** A browser in which a user has just signed up. */
export async function signedUp(stack: Stack, email = newEmail()) {
  // Each from its own address: sign-ups from one address are limited.
  const browser = buildBrowser(stack.url, { 'X-Forwarded-For': randomAddress() });
  const answer = await browser.post('/sign-up', { email, password: PASSWORD });
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
  const me = await browser.get('/me');
  return { browser, email, userId: String(me.body.user.id), accountId: String(me.body.account.id) };
}

/** A browser at its own address, without a session. */
export function buildStranger(stack: Stack, address = randomAddress(), always: Record<string, string> = {}): Browser {
  return buildBrowser(stack.url, { 'X-Forwarded-For': address, ...always });
}

/** A stack that trusts loopback as a proxy, so that each browser has its own address. */
export function buildDashboardStack({ env, ...options }: StackOptions = {}): Promise<Stack> {
  return buildStack({ ...options, env: { ...BEHIND_PROXY, ...env } });
}

/** Gives the tests of a file one stack that trusts loopback as a proxy. */
export function useDashboardStack({ env, ...options }: StackOptions = {}): Stack {
  return useStack({ ...options, env: { ...BEHIND_PROXY, ...env } });
}

/** For stacks that trust loopback as a proxy. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.0/8' };

export function randomAddress(): string {
  return `198.51.${randomBytes(2).join('.')}`;
}

import { Agent, request } from 'node:http';
import { pause } from './child';
import type { PageCall } from './dashboard-pages';
import { percentile, rounded } from './statistics';

/** How long the answers to one request took, in milliseconds. */
export interface CallTimes extends PageCall {
  readonly calls: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** Of the last answer. */
  readonly bytes: number;
}

/** Pages ask again at most this often; the server may keep an answer for as long. */
const ROUND_MS = 2_000;

/**
 * Makes each call once in every round, one after the other, as a person opens pages.
 *
 * @param tokens of sessions, used in turn: each has a limit of calls
 * @throws Error for an answer other than 200
 */
export async function timeCalls(
  url: string,
  tokens: readonly string[],
  calls: readonly PageCall[],
  rounds: number,
): Promise<CallTimes[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took = calls.map((): number[] => []);
  const bytes = calls.map(() => 0);
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    for (const [at, { path }] of calls.entries()) {
      const answer = await get(agent, `${url}${path}`, tokens[(round + at) % tokens.length]!);
      took[at]!.push(answer.ms);
      bytes[at] = answer.bytes;
    }
    await pause(Math.max(0, ROUND_MS - (performance.now() - startedAt)));
  }
  agent.destroy();
  return calls.map((call, at) => ({
    ...call,
    calls: rounds,
    min: rounded(Math.min(...took[at]!)),
    p50: rounded(percentile(took[at]!, 0.5)),
    p95: rounded(percentile(took[at]!, 0.95)),
    max: rounded(Math.max(...took[at]!)),
    bytes: bytes[at]!,
  }));
}

function get(agent: Agent, url: string, token: string): Promise<{ ms: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = { Cookie: `everpost_session=${token}`, 'Sec-Fetch-Site': 'same-origin' };
    const asked = request(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode} ${body.toString()}`));
        resolve({ ms: performance.now() - startedAt, bytes: body.length });
      });
    });
    asked.once('error', reject);
    asked.end();
  });
}

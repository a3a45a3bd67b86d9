import { Command } from 'commander';
import { scanJson } from '../domain/raw-json';
import { composeBody, generateSigningSecret } from '../sender/signature';
import { followEvents, isOf, ListenError, notEverpost, reasonOf, refusal, type StreamedEvent } from './event-stream';
import { forwardEvent, type Forwarded } from './forward-event';

/** The options of `listen`. */
export interface ListenOptions {
  readonly forward: string;
  readonly key: string;
  readonly events: string;
  readonly url: string;
  readonly secret?: string;
  readonly replay?: readonly string[];
}

/**
 * `everpost listen` and `everpost-listen`: works over HTTP with an API key, unlike the operator's commands. A package of
 * its own has this file, so it may import what needs no other package than commander and eventsource-parser (ADR 50).
 *
 * @param name of the command
 * @param url of the API, by default
 * @param print writes to standard output and ends the line
 */
export function listenCommand(name: string, url: string, print: (text: string) => void): Command {
  return new Command(name)
    .description('forward events to a receiver on this machine as they are accepted')
    .requiredOption('--forward <url>', 'where the receiver listens, such as http://localhost:3000/hook')
    .requiredOption('--key <key>', 'API key of Webhook Reliability')
    .option('--events <patterns>', 'which events: patterns separated by commas', '*')
    .option('--url <url>', 'address of the Everpost API', url)
    .option('--secret <secret>', "your receiver's signing secret (default: a new one, printed first)")
    .option('--replay <id...>', 'forward these events once, and exit')
    .action(async (options: ListenOptions) => {
      const stop = new AbortController();
      const onSignal = (): void => stop.abort();
      process.once('SIGINT', onSignal);
      process.once('SIGTERM', onSignal);
      await listen(options, print, stop.signal);
    });
}

/**
 * @throws ListenError when the options can't be used, the API refuses permanently, or the receiver doesn't accept a replayed
 *   event
 */
export async function listen(
  options: ListenOptions,
  print: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  requireUrl(options.forward, '--forward');
  requireUrl(options.url, '--url');
  const url = options.url.replace(/\/+$/, '');
  const secret = options.secret ?? generateSigningSecret();
  let needsHint = options.secret === undefined;
  const forward = async (event: StreamedEvent): Promise<boolean> => {
    const forwarded = await forwardEvent(event, options.forward, secret);
    print(lineOf(event, forwarded));
    if (needsHint && forwarded.status === 401) {
      needsHint = false;
      print(
        '… the receiver answered 401: it probably checks signatures with another secret; pass that one with --secret',
      );
    }
    return forwarded.status !== null && forwarded.status >= 200 && forwarded.status < 300;
  };

  print(`Signing secret: ${secret}${options.secret === undefined ? '  (keep it with --secret)' : ''}`);
  if (options.replay) {
    let failed = 0;
    for (const id of options.replay) if (!(await forward(await readEvent(url, options.key, id)))) failed += 1;
    if (failed > 0)
      throw new ListenError(`${failed} of ${options.replay.length} events were not accepted by the receiver.`);
    return;
  }
  const stream = followEvents({
    url,
    key: options.key,
    events: options.events,
    signal,
    onNotice: (text) => print(`… ${text}`),
    onOpen: () => print(`Forwarding ${options.events} to ${options.forward} (Ctrl-C ends it)`),
  });
  // One after the other: the receiver gets them in order.
  for await (const event of stream) await forward(event);
}

/** An event of the account, with its data as sent. */
async function readEvent(url: string, key: string, id: string): Promise<StreamedEvent> {
  const path = `/api/v1/webhooks/events/${encodeURIComponent(id)}`;
  const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } }).catch(
    (error: unknown) => {
      throw new ListenError(`Event ${id}: ${reasonOf(error)} to ${url}`);
    },
  );
  if (!answer.ok) throw new ListenError(`Event ${id}: ${(await refusal(answer)).message}`);
  if (!isOf(answer, 'application/json')) throw notEverpost(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const event = JSON.parse(bytes.toString()) as { id: number; type: string; timestamp: number };
  const data = scanJson(bytes).members.find(({ name }) => name === 'data');
  if (!data) throw notEverpost(url);
  const body = composeBody({ ...event, data: bytes.subarray(data.start, data.end) });
  return { ...event, body: body.toString('utf8') };
}

/** `12:00:01  200  order.created  1001  8 ms` */
function lineOf({ id, type }: StreamedEvent, { status, error, latencyMs }: Forwarded): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `${time}  ${status ?? 'no answer'}  ${type}  ${id}  ${latencyMs} ms${error === null ? '' : `  ${error}`}`;
}

function requireUrl(text: string, option: string): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ListenError(`${option} must be a URL such as http://localhost:3000/hook.`);
  }
}

import { causeInWords } from '../domain/endpoint-health';
import type { Notice } from './notice-store';

/** What one mail or message says. */
export interface AlertText {
  readonly subject: string;
  readonly text: string;
}

/** The most endpoints that one message names, so that it stays readable and below the limits of chats. */
const MOST_NAMED = 20;

/** Words for an operator: which endpoints fail, since when and why, and which recovered. Without paths and secrets. */
export function alertText(notices: readonly Notice[]): AlertText {
  const failing = notices.filter(({ kind }) => kind === 'failing');
  const recovered = notices.filter(({ kind }) => kind === 'recovered');
  const parts = [
    ...(failing.length > 0 ? [`${endpoints(failing.length)} ${failing.length === 1 ? 'fails' : 'fail'}`] : []),
    ...(recovered.length > 0 ? [`${endpoints(recovered.length)} recovered`] : []),
  ];
  const subject = `Everpost: ${parts.join(', ')}`;
  return { subject, text: [subject, ...listOf(failing), ...listOf(recovered)].join('\n') };
}

function endpoints(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`;
}

function listOf(notices: readonly Notice[]): string[] {
  const more = notices.length - MOST_NAMED;
  return [...notices.slice(0, MOST_NAMED).map(lineOf), ...(more > 0 ? [`… and ${more} more`] : [])];
}

function lineOf(notice: Notice): string {
  const { host, endpoint_id: id, account_id: account, since, recovered_at: recoveredAt, failures, cause } = notice;
  const where = `- ${host} (${id}, account ${account})`;
  if (recoveredAt) return `${where}: recovered at ${utc(recoveredAt)}, had failed since ${utc(since)}`;
  const why = cause ? `, last with: ${causeInWords(cause)}` : '';
  return `${where}: fails since ${utc(since)}, ${failures} failed ${failures === 1 ? 'attempt' : 'attempts in a row'}${why}`;
}

/** `2026-11-21 12:00:07 UTC` */
function utc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

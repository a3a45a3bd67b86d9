import { causeInWords } from '../domain/endpoint-health';
import { alertText, countOf, utc, type AlertText } from './alert-text';
import type { OutageNotice } from './notice-store';

/** Words for an operator: which endpoints fail, since when and why, and which recovered. Without paths and secrets. */
export function outageText(notices: readonly OutageNotice[]): AlertText {
  const failing = notices.filter(({ kind }) => kind === 'failing');
  const recovered = notices.filter(({ kind }) => kind === 'recovered');
  const parts = [
    failing.length > 0
      ? `${countOf(failing.length, 'endpoint')} ${failing.length === 1 ? 'fails' : 'fail'}`
      : undefined,
    recovered.length > 0 ? `${countOf(recovered.length, 'endpoint')} recovered` : undefined,
  ];
  return alertText(parts, [failing.map(lineOf), recovered.map(lineOf)]);
}

function lineOf(notice: OutageNotice): string {
  const { host, endpoint_id: id, account_id: account, since, recovered_at: recoveredAt, failures, cause } = notice;
  const where = `- ${host} (${id}, account ${account})`;
  if (recoveredAt) return `${where}: recovered at ${utc(recoveredAt)}, had been failing since ${utc(since)}`;
  const why = cause ? `, last with: ${causeInWords(cause)}` : '';
  return `${where}: failing since ${utc(since)}, ${failures} failed ${failures === 1 ? 'attempt' : 'attempts in a row'}${why}`;
}

import { existsSync, readFileSync } from 'node:fs';

/** One answer as the client recorded it. Only what it learned over HTTP. */
export interface LedgerLine {
  /** Of the event, as the client counts. */
  readonly serial: number;
  /** Which try of this serial it was, from 1. */
  readonly try: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** 0 when the connection broke. */
  readonly status: number;
  readonly id?: number;
  readonly duplicate?: boolean;
  readonly retryAfter?: number;
  /** Which API was called, from 0. */
  readonly api: number;
}

/** An event that was acknowledged. */
export interface Acknowledged {
  readonly serial: number;
  readonly id: number;
  readonly at: number;
}

/** The contents of a ledger on disk. */
export interface Ledger {
  readonly lines: readonly LedgerLine[];
  /** Serials that were ever sent. */
  readonly sent: ReadonlySet<number>;
  /** First acknowledgement of each serial. */
  readonly acknowledged: readonly Acknowledged[];
  /** Serials that got two different ids. */
  readonly contradicted: readonly number[];
}

export function readLedger(file: string): Ledger {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerLine);
  return ledgerOf(lines);
}

/** What the lines say together. */
export function ledgerOf(lines: readonly LedgerLine[]): Ledger {
  const first = new Map<number, Acknowledged>();
  const contradicted = new Set<number>();
  for (const { serial, id, status, answeredAt } of lines) {
    if (id === undefined || (status !== 200 && status !== 202)) continue;
    const known = first.get(serial);
    if (!known) first.set(serial, { serial, id, at: answeredAt });
    else if (known.id !== id) contradicted.add(serial);
  }
  return {
    lines,
    sent: new Set(lines.map(({ serial }) => serial)),
    acknowledged: [...first.values()],
    contradicted: [...contradicted],
  };
}

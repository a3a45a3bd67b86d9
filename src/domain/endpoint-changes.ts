import type { FieldChange } from './audit-actions';
import { hostOf } from './destination-url';

/** The fields of an endpoint in the audit log. */
interface Told {
  readonly external_id?: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly metadata?: string;
  readonly status: string;
  readonly verification?: { readonly state: string };
  readonly options?: object;
  readonly secret: object;
  readonly next_secret?: object;
  readonly backlog_per_second?: number;
}

/**
 * A changed endpoint for the audit log: names of fields, with old and new values. Of a URL only the host is logged,
 * because its path and query may be secret: of them the log shows only that they changed. Of a sealed value the log shows only that it was set, changed or removed.
 *
 * @param before null for a new endpoint; `after` is null for a removed one
 */
export function endpointChanges(before: Told | null, after: Told | null): FieldChange[] {
  const changeOf = (field: string, tell: (value: never) => string | undefined, values: [unknown, unknown]) => {
    if (JSON.stringify(values[0]) === JSON.stringify(values[1])) return [];
    const [from, to] = values.map((value) => (value === undefined ? undefined : tell(value as never)));
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  };
  const hidden = (): undefined => undefined;
  return [
    ...changeOf('external_id', String, [before?.external_id, after?.external_id]),
    ...urlChange(before?.url, after?.url),
    ...changeOf('events', (patterns: string[]) => patterns.join(' '), [before?.events, after?.events]),
    ...changeOf('description', hidden, [before?.description, after?.description]),
    ...changeOf('metadata', hidden, [before?.metadata, after?.metadata]),
    ...changeOf('status', String, [before?.status, after?.status]),
    ...changeOf('backlog_per_second', String, [before?.backlog_per_second, after?.backlog_per_second]),
    ...changeOf('verification', ({ state }: { state: string }) => state, [before?.verification, after?.verification]),
    ...optionNamesOf(before, after).flatMap((name) =>
      changeOf(`options.${name}`, optionInWords, [optionOf(before, name), optionOf(after, name)]),
    ),
    ...changeOf('secret', hidden, [before?.secret, after?.secret]),
    ...changeOf('next_secret', hidden, [before?.next_secret, after?.next_secret]),
  ];
}

/** The host before and after; only that the path or the query changed, if the host is the same. */
function urlChange(before: string | undefined, after: string | undefined): FieldChange[] {
  if (before === after) return [];
  const [from, to] = [before, after].map((url) => (url === undefined ? undefined : hostOf(url)));
  if (from === to) return [{ field: 'url' }];
  return [{ field: 'url', ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

function optionNamesOf(...endpoints: readonly (Told | null)[]): string[] {
  return [...new Set(endpoints.flatMap((endpoint) => Object.keys(endpoint?.options ?? {})))];
}

/** Numbers and switches are logged. Texts and objects may hold secrets or data: the log shows only that they changed. */
function optionInWords(value: unknown): string | undefined {
  const isOpen = (part: unknown): boolean => typeof part === 'number' || typeof part === 'boolean';
  return isOpen(value) || (Array.isArray(value) && value.every(isOpen)) ? String(value) : undefined;
}

function optionOf(endpoint: Told | null, name: string): unknown {
  return (endpoint?.options as Record<string, unknown> | undefined)?.[name];
}

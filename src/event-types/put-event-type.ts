import type { By, FieldChange } from '../domain/audit-actions';
import { ConflictError, UnprocessableError } from '../domain/errors';
import type { Clock } from '../platform/clock';
import { checkSchema, type AskSchemaThread } from './check-schema';
import { CATALOG_LIMITS, type EventType, type EventTypeStore } from './event-type-store';
import { eventTypeNotFound } from './event-type-name';
import type { PutEventTypeBody } from './schema';

/** What writing event types needs. */
export interface PutEventTypeDeps {
  readonly eventTypes: Pick<EventTypeStore, 'find' | 'write'>;
  readonly askSchemaThread: AskSchemaThread;
  readonly clock: Clock;
}

/** The fields of a type that a body can set, as they are stored. */
type Fields = Pick<EventType, 'description' | 'group' | 'schema' | 'example' | 'deprecated' | 'archived'>;

/** A type before and after a change; nothing changes without `changes`. */
export interface PlannedEventType {
  readonly before: EventType | undefined;
  readonly after: Omit<EventType, 'revision' | 'created_at' | 'updated_at'>;
  readonly changes: readonly FieldChange[];
}

/**
 * Creates an event type, or changes it if it exists: absent fields stay as they are, null removes one. The same body
 * again changes nothing.
 *
 * @returns the type, whether it was created, and what has changed
 * @throws UnprocessableError for a schema that can't be used, or an example that does not fit it
 * @throws ConflictError when the catalog is full
 */
export async function putEventType(
  deps: PutEventTypeDeps,
  name: string,
  body: PutEventTypeBody,
  by: By,
): Promise<{ readonly type: EventType; readonly isNew: boolean; readonly changes: readonly FieldChange[] }> {
  for (;;) {
    const plan = await planEventType(deps, name, body);
    const { before, changes } = plan;
    if (before && changes.length === 0) return { type: before, isNew: false, changes };
    const type = await deps.eventTypes.write({ ...plan, at: new Date(deps.clock()) }, by);
    if (type === 'full') throw catalogFull();
    if (type) return { type, isNew: !before, changes };
    // Another call changed it meanwhile.
  }
}

/**
 * Archives an event type: it stays, and is no longer listed.
 *
 * @throws NotFoundError if there is no such type
 */
export async function archiveEventType(deps: PutEventTypeDeps, name: string, by: By): Promise<EventType> {
  if (!(await deps.eventTypes.find(name))) throw eventTypeNotFound(name);
  return (await putEventType(deps, name, { archived: true }, by)).type;
}

/**
 * What a body would change.
 *
 * @throws UnprocessableError for a schema that can't be used, or an example that does not fit it
 */
export async function planEventType(
  { eventTypes, askSchemaThread }: Pick<PutEventTypeDeps, 'eventTypes' | 'askSchemaThread'>,
  name: string,
  body: PutEventTypeBody,
): Promise<PlannedEventType> {
  const before = (await eventTypes.find(name)) ?? undefined;
  const wanted = { deprecated: false, archived: false, ...fieldsOf(before), ...given(body) };
  const fields = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null)) as unknown as Fields;
  const changes = changesOf(before ? fieldsOf(before) : {}, fields);
  const isChanged = (field: keyof Fields): boolean => changes.some((change) => change.field === field);
  if (isChanged('schema') || isChanged('example')) await requireUsable(askSchemaThread, fields);
  const version = before ? before.version + Number(isChanged('schema')) : 1;
  return { before, after: { _id: name, ...fields, version }, changes };
}

/** @throws UnprocessableError for a schema that can't be used, or an example that does not fit it */
async function requireUsable(
  ask: AskSchemaThread,
  { schema, example }: Pick<Fields, 'schema' | 'example'>,
): Promise<void> {
  if (schema === undefined) return;
  const verdict = await checkSchema(ask, schema, example ?? null);
  if (verdict.is === 'ok') return;
  const isExample = verdict.is === 'mismatch';
  const details = verdict.details.map(({ path, message }) => ({
    path: isExample ? path.replace(/^data/, 'example') : path,
    message,
  }));
  const [{ path, message } = { path: 'schema', message: 'is invalid' }] = details;
  if (isExample)
    throw new UnprocessableError(
      `The example does not fit the schema: "${path}" ${message}.`,
      'example_mismatch',
      details,
    );
  throw new UnprocessableError(`"${path}" ${message}.`, 'invalid_schema', details);
}

function fieldsOf(type: Fields | undefined): Partial<Fields> {
  if (!type) return {};
  const { description, group, schema, example, deprecated, archived } = type;
  return withoutUndefined({ description, group, schema, example, deprecated, archived });
}

function given({ schema, example, ...others }: PutEventTypeBody) {
  return withoutUndefined({
    ...others,
    schema: schema && JSON.stringify(schema),
    example: example && JSON.stringify(example),
  });
}

function withoutUndefined<T extends object>(value: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, of]) => of !== undefined)) as never;
}

/** The fields in the order in which a change names them. */
const FIELDS = ['description', 'group', 'schema', 'example', 'deprecated', 'archived'] as const;

/** What is different. A schema or an example is too long to be shown. */
function changesOf(before: Partial<Fields>, after: Fields): FieldChange[] {
  return FIELDS.filter((field) => before[field] !== after[field]).map((field) =>
    field === 'schema' || field === 'example'
      ? { field }
      : { field, ...told('from', before[field]), ...told('to', after[field]) },
  );
}

function told(side: 'from' | 'to', value: string | boolean | undefined): Partial<FieldChange> {
  return value === undefined ? {} : { [side]: String(value) };
}

/** The error for a full catalog. */
function catalogFull(): ConflictError {
  const { types, bytes } = CATALOG_LIMITS;
  return new ConflictError(
    `The catalog is full: it has at most ${types} event types, archived ones too, and ${bytes / 1024 / 1024} MiB of ` +
      'schemas and examples. Remove the schema or the example of types that you no longer use.',
    'event_type_limit',
  );
}

import { z } from 'zod';
import { forEachFlag } from '../domain/endpoint-flags';
import { HIDDEN } from '../domain/sent-request';
import type { StoredOptions } from '../stores/endpoint-store';
import {
  authentication,
  bodyShape,
  dataPaths,
  eventFilter,
  maxPerSecond,
  retryJitter,
  retrySchedule,
  staticHeaders,
} from './option-values-schema';
import { openHeaders, sealCredential, sealHeaders, type OptionPlace } from './sealed-options';

/** An option with a value. Requests, storage and answers derive from it. */
interface ValueOption<Sent extends z.ZodType, Shown extends z.ZodType, Value> {
  /** Its value in requests, where null switches it off. */
  readonly sent: Sent;
  /** Its value in answers, or null while it is off. */
  readonly shown: Shown;
  /** What MongoDB has of a value. @throws InvalidRequestError if it contradicts what is stored */
  readonly store: (value: z.output<Sent>, place: OptionPlace) => Value;
  readonly show: (stored: Value, place: OptionPlace) => NonNullable<z.output<Shown>>;
}

type Stored<Name extends keyof StoredOptions> = NonNullable<StoredOptions[Name]>;

/** Checks the types of an entry. */
const entry =
  <Name extends keyof StoredOptions>() =>
  <Sent extends z.ZodType, Shown extends z.ZodType>(it: ValueOption<Sent, Shown, Stored<Name>>) =>
    it;

/** The options of an endpoint that have a value; endpoint-flags.ts has those that are on or off. All are off by default. */
export const VALUE_OPTIONS = {
  retry_schedule: entry<'retry_schedule'>()({
    sent: retrySchedule,
    shown: z.array(z.number()).nullable().meta({ description: 'Seconds before each attempt.' }),
    store: (value) => value,
    show: (stored) => [...stored],
  }),
  retry_jitter: entry<'retry_jitter'>()({
    sent: retryJitter,
    shown: z.number().nullable().meta({ description: 'Null: that of the installation.' }),
    store: (value) => value,
    show: (stored) => stored,
  }),
  max_per_second: entry<'max_per_second'>()({
    sent: maxPerSecond,
    shown: z.number().nullable(),
    store: (value) => value,
    show: (stored) => stored,
  }),
  headers: entry<'headers'>()({
    sent: staticHeaders,
    shown: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Each value is `[hidden]`; `GET …/secret` shows them.' }),
    store: sealHeaders,
    show: (_stored, { secretBox, endpointId, current }) => {
      const names = Object.keys(openHeaders(secretBox, endpointId, current) ?? {});
      return Object.fromEntries(names.map((name) => [name, HIDDEN]));
    },
  }),
  authentication: entry<'authentication'>()({
    sent: authentication,
    shown: z
      .union([
        z.object({ type: z.literal('basic'), username: z.string() }).meta({ id: 'ShownBasicAuthentication' }),
        z.object({ type: z.literal('bearer') }).meta({ id: 'ShownBearerAuthentication' }),
      ])
      .meta({ id: 'ShownAuthentication' })
      .nullable()
      .meta({ description: 'Without password and token.' }),
    store: sealCredential,
    show: (stored) =>
      stored.type === 'bearer'
        ? ({ type: 'bearer' } as const)
        : ({ type: 'basic', username: stored.username } as const),
  }),
  filter: entry<'filter'>()({
    sent: eventFilter,
    shown: z.record(z.string(), z.unknown()).nullable(),
    // As text: its operators would be MongoDB's own.
    store: (value) => JSON.stringify(value),
    show: (stored) => JSON.parse(stored) as Record<string, unknown>,
  }),
  body: entry<'body'>()({
    sent: bodyShape,
    shown: bodyShape.nullable().meta({ description: "Null: the account's default, else `envelope`." }),
    store: (value) => value,
    show: (stored) => stored,
  }),
  include: entry<'include'>()({
    sent: dataPaths('Only these members of `data` are sent. Not together with `exclude`.'),
    shown: z.array(z.string()).nullable(),
    store: (value) => value,
    show: (stored) => [...stored],
  }),
  exclude: entry<'exclude'>()({
    sent: dataPaths('These members of `data` are not sent. Not together with `include`.'),
    shown: z.array(z.string()).nullable(),
    store: (value) => value,
    show: (stored) => [...stored],
  }),
} as const;

type ValueOptions = typeof VALUE_OPTIONS;
export type ValueOptionName = keyof ValueOptions;

/** A value for each option that has one. */
export function forEachValue(
  valueOf: (option: ValueOptions[ValueOptionName], name: ValueOptionName) => unknown,
): Record<ValueOptionName, unknown> {
  const entries = Object.entries(VALUE_OPTIONS) as [ValueOptionName, ValueOptions[ValueOptionName]][];
  return Object.fromEntries(entries.map(([name, option]) => [name, valueOf(option, name)])) as Record<
    ValueOptionName,
    unknown
  >;
}

/** The error if both would set the header `Authorization`. */
export const AUTHORIZATION_TAKEN = 'is set by "authentication"; use one of the two';

/** The error if both are set. */
export const MASKED_TWICE = 'can\'t be set together with "include"; use one of the two';

/** The options of an endpoint in requests: an absent one stays unchanged, null switches it off. */
export const optionsBody = z
  .strictObject({
    ...(forEachValue(({ sent }) => sent.nullable().optional()) as {
      [Name in ValueOptionName]: z.ZodOptional<z.ZodNullable<ValueOptions[Name]['sent']>>;
    }),
    ...forEachFlag((_name, { description }) => z.boolean().nullable().optional().meta({ description })),
  })
  .superRefine(({ headers, authentication: credential, include, exclude }, context) => {
    if (include && exclude) context.addIssue({ code: 'custom', path: ['exclude'], message: MASKED_TWICE });
    if (!headers || !credential) return;
    const name = Object.keys(headers).find((candidate) => candidate.toLowerCase() === 'authorization');
    if (name === undefined) return;
    context.addIssue({ code: 'custom', path: ['headers', name], message: AUTHORIZATION_TAKEN });
  })
  .meta({ id: 'EndpointOptionsChange' });

export type OptionsBody = z.output<typeof optionsBody>;

/** The options in answers: each with its value, null or false if it is off. */
export const optionsView = z
  .object({
    ...(forEachValue(({ shown }) => shown) as { [Name in ValueOptionName]: ValueOptions[Name]['shown'] }),
    ...forEachFlag(() => z.boolean()),
  })
  .meta({ id: 'EndpointOptions' });

/** The options in answers: in the clear, except for credentials and the values of headers. */
export type ShownOptions = z.output<typeof optionsView>;

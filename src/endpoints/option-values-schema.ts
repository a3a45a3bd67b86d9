import { z } from 'zod';
import { BODY_SHAPES } from '../domain/body-form';
import { MAX_RETRY_JITTER } from '../domain/retry-jitter';
import { MIN_RETRY_DELAY_S, MAX_ATTEMPTS, MAX_DELAY_MS } from '../domain/retry-schedule';
import { problemsOfFilter } from './event-filter';
import { MAX_HEADERS, problemsOfHeaders } from './static-headers';

/** An endpoint's condition on `data`. Not a zod record, which would silently drop a member named `__proto__`. */
export const eventFilter = z
  .custom<Record<string, unknown>>()
  .superRefine((filter, context) => {
    for (const { path, message } of problemsOfFilter(filter)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description: "A condition on `data` in MongoDB's query language: only matching events are delivered.",
    example: { total: { $gte: 100 }, 'customer.country': { $in: ['DE', 'FR'] } },
  });

const MAX_DELAY_SECONDS = MAX_DELAY_MS / 1_000;
/** Retention keeps an event until it is finished, so its schedule must end. */
const MAX_TOTAL_SECONDS = 30 * 86_400;

const MIN_RATE = 0.1;
const MAX_RATE = 1_000;

const DELAY_RULE = `must be a number of seconds from 0 to ${MAX_DELAY_SECONDS} (7 days)`;
const RETRY_DELAY_RULE = `must be a number of seconds from ${MIN_RETRY_DELAY_S} to ${MAX_DELAY_SECONDS} (7 days); only the first delay, the one before attempt 1, may be less`;
const RATE_RULE = `must be a number from ${MIN_RATE} to ${MAX_RATE}`;

/** Seconds before each attempt of a delivery. */
export const retrySchedule = z
  .array(z.number().min(0, DELAY_RULE).max(MAX_DELAY_SECONDS, DELAY_RULE))
  .min(1, 'must hold at least one delay: the one before attempt 1, normally 0')
  .max(MAX_ATTEMPTS, `must hold at most ${MAX_ATTEMPTS} delays`)
  .superRefine((delays, context) => {
    const first = delays.findIndex((delay, index) => index > 0 && delay >= 0 && delay < MIN_RETRY_DELAY_S);
    if (first > 0) context.addIssue({ code: 'custom', path: [first], message: RETRY_DELAY_RULE });
  })
  .refine((delays) => delays.reduce((sum, seconds) => sum + seconds, 0) <= MAX_TOTAL_SECONDS, {
    error: 'must add up to at most 30 days',
  })
  .meta({
    description:
      'The delay in seconds before each attempt: the first normally 0, the others at least 1. Their number is the ' +
      'number of attempts. ' +
      'Applies to events accepted from now on. Off: the schedule of the installation.',
    example: [0, 10, 60, 600],
  });

const JITTER_RULE = `must be a number from 0 to ${MAX_RETRY_JITTER}`;

/** By which share each delay after a failed attempt may be longer. */
export const retryJitter = z
  .number()
  .min(0, JITTER_RULE)
  .max(MAX_RETRY_JITTER, JITTER_RULE)
  .meta({
    description:
      'By which share each delay after a failed attempt may be longer, 0 to 0.5: with 0.2, a delay of 30 s is 30 to ' +
      '36 s. Off: that of the installation, normally none.',
    example: 0.2,
  });

/** What the body of each delivery is. */
export const bodyShape = z
  .enum(BODY_SHAPES, { error: `must be one of ${BODY_SHAPES.map((shape) => `"${shape}"`).join(', ')}` })
  .meta({
    id: 'BodyShape',
    description:
      "What the body of each delivery is: `envelope` is `{id, type, data, timestamp}`, `data` the bytes of the event's " +
      "`data` alone, `standard` Standard Webhooks' `{type, timestamp, data}`, and `cloudevents` a structured " +
      'CloudEvent 1.0. Applies to events accepted from now on.',
    example: 'data',
  });

const MAX_PATHS = 50;
const MAX_PATH_PARTS = 16;
const MAX_PATHS_LENGTH = 2_048;
const PATH_RULE = 'must be the path to a field: names with dots between them';

const path = z
  .string()
  .refine((text) => !text.split('.').includes(''), PATH_RULE)
  .refine((text) => text.split('.').length <= MAX_PATH_PARTS, `must have at most ${MAX_PATH_PARTS} parts between dots`)
  // The database would silently store a replacement character for it.
  .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair');

/** Paths to members of `data`. @param description what they are for */
export const dataPaths = (description: string) =>
  z
    .array(path)
    .min(1, 'must hold at least one path; null switches the option off')
    .max(MAX_PATHS, `must hold at most ${MAX_PATHS} paths`)
    .refine((paths) => new Set(paths).size === paths.length, 'must not hold a path twice')
    .refine((paths) => paths.reduce((sum, { length }) => sum + length, 0) <= MAX_PATHS_LENGTH, {
      error: `must have at most ${MAX_PATHS_LENGTH} characters in all paths`,
    })
    .meta({
      description: `${description} In a list, a path applies to each element. Applies to events accepted from now on.`,
      example: ['customer.email'],
    });

/** The most attempts a second. */
export const maxPerSecond = z
  .number()
  .min(MIN_RATE, RATE_RULE)
  .max(MAX_RATE, RATE_RULE)
  .meta({ description: 'The most attempts a second. Further deliveries wait; nothing is lost.', example: 10 });

/** Headers of every delivery. Not a zod record, which would silently drop a member named `__proto__`. */
export const staticHeaders = z
  .custom<Record<string, string>>()
  .superRefine((headers, context) => {
    for (const { name, message } of problemsOfHeaders(headers)) {
      context.addIssue({ code: 'custom', path: name === undefined ? [] : [name], message });
    }
  })
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    minProperties: 1,
    maxProperties: MAX_HEADERS,
    description:
      'Additional headers of every delivery. Names and values follow RFC 9110. Headers that HTTP or ' +
      'Everpost sets are refused: `content-*`, `host`, `connection`, `transfer-encoding`, `user-agent`, `webhook-*`, ' +
      '`x-webhook-*` and the like. Values are sealed: answers show `[hidden]`, and a value sent as `[hidden]` stays as ' +
      'it is.',
    example: { 'X-Tenant': 'blue' },
  });

const CREDENTIAL_RULE = 'must be 1 to 255 characters without control characters';
const credential = z
  .string()
  .min(1, CREDENTIAL_RULE)
  .max(255, CREDENTIAL_RULE)
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, CREDENTIAL_RULE)
  .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair');
const TOKEN_RULE = 'must be 1 to 2048 visible ASCII characters without spaces';
const username = credential.refine((text) => !text.includes(':'), 'must not contain ":" (RFC 7617)');

/** What an endpoint sends as `Authorization`. */
export const authentication = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('basic'), username, password: credential }).meta({ id: 'BasicAuthentication' }),
      z
        .strictObject({
          type: z.literal('bearer'),
          token: z
            .string()
            .max(2_048, TOKEN_RULE)
            .regex(/^[\u0021-\u007e]+$/, TOKEN_RULE),
        })
        .meta({ id: 'BearerAuthentication' }),
    ],
    { error: 'must be "basic" or "bearer"' },
  )
  .meta({
    id: 'Authentication',
    description: 'Sent as `Authorization`. Password and token are sealed and never shown again.',
    example: { type: 'basic', username: 'everpost', password: 'example' },
  });

export type Authentication = z.output<typeof authentication>;

import { maskJson, type Masks } from './mask-json';

/** What the body of a delivery is. */
export const BODY_SHAPES = ['envelope', 'data', 'standard', 'cloudevents'] as const;
export type BodyShape = (typeof BODY_SHAPES)[number];

/** A delivery's shape and masks as they are stored: what is absent is the envelope, with all of `data`. */
export interface StoredBodyForm extends Masks {
  readonly shape?: BodyShape;
}

/** The options of an endpoint that decide it. */
export interface BodyOptions extends Masks {
  /** Absent: the account's default. */
  readonly body?: BodyShape;
}

/** All that decides how the body of a delivery is made of its event. */
export interface BodyForm extends Masks {
  readonly shape: BodyShape;
  /** What CloudEvents call the source. Only that shape names it. */
  readonly source: string;
}

/** The form of what no endpoint's options apply to. */
export const ENVELOPE: BodyForm = { shape: 'envelope', source: '' };

/**
 * What is stored of the shape and the masks of a delivery, by the options of its endpoint.
 *
 * @param defaultBody the shape of endpoints without their own
 * @returns undefined for an envelope with all of `data`
 */
export function storedBodyFormOf(
  { body, include, exclude }: BodyOptions = {},
  defaultBody: BodyShape | undefined,
): StoredBodyForm | undefined {
  const shape = body ?? defaultBody ?? 'envelope';
  const form = { ...(shape !== 'envelope' && { shape }), ...(include && { include }), ...(exclude && { exclude }) };
  return Object.keys(form).length === 0 ? undefined : form;
}

/** The form of a delivery of an account. */
export function bodyFormOf(stored: StoredBodyForm | undefined, accountId: string): BodyForm {
  return { ...stored, shape: stored?.shape ?? 'envelope', source: sourceOf(accountId) };
}

/**
 * The source of an account's events: with the id of an event, it is unique in the world. It names no address, because a
 * changed address would change the bytes of later attempts.
 */
function sourceOf(accountId: string): string {
  return `urn:everpost:${accountId}`;
}

/**
 * The headers that say what a body is. A body of `data` alone does not say when its event was accepted, so a header
 * does.
 */
export function bodyHeaders(
  { timestamp }: Pick<EventAround, 'timestamp'>,
  { shape }: BodyForm,
): Record<string, string> {
  return {
    'Content-Type': shape === 'cloudevents' ? 'application/cloudevents+json' : 'application/json',
    ...(shape === 'data' && { 'X-Webhook-Event-Timestamp': String(timestamp) }),
  };
}

/** The parts of an event that its delivered body may have around `data`. */
export interface EventAround {
  readonly id: number;
  readonly type: string;
  /** Unix seconds of the ingest: the same on every attempt. */
  readonly timestamp: number;
}

/** The text of a delivered body before and after `data`. */
export function bodyAround(
  { id, type, timestamp }: EventAround,
  { shape, source }: BodyForm,
): { readonly before: string; readonly after: string } {
  const typeText = JSON.stringify(type);
  switch (shape) {
    case 'envelope':
      return { before: `{"id":${id},"type":${typeText},"data":`, after: `,"timestamp":${timestamp}}` };
    case 'data':
      return { before: '', after: '' };
    case 'standard':
      return { before: `{"type":${typeText},"timestamp":"${isoTime(timestamp)}","data":`, after: '}' };
    case 'cloudevents':
      return {
        before:
          `{"specversion":"1.0","id":"${id}","source":${JSON.stringify(source)},"type":${typeText},` +
          `"time":"${isoTime(timestamp)}","datacontenttype":"application/json","data":`,
        after: '}',
      };
  }
}

/**
 * The text of a delivered body: the same on every attempt. The sender and the dashboard share it, so that the page shows
 * the bytes that were signed.
 *
 * @param data the text of `data` as the caller sent it, which stays as it is, except for what masks cut
 */
export function bodyText(event: EventAround, data: string, form: BodyForm): string {
  const { before, after } = bodyAround(event, form);
  return `${before}${maskJson(data, form)}${after}`;
}

function isoTime(timestamp: number): string {
  return new Date(timestamp * 1_000).toISOString();
}

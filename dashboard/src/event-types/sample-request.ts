import { bodyFormOf, bodyHeaders, bodyText, type BodyShape } from '../../../src/domain/body-form';

/** A secret that signs nothing but samples: its bytes are the text "sample secret, never used". */
export const SAMPLE_SECRET = 'whsec_c2FtcGxlIHNlY3JldCwgbmV2ZXIgdXNlZA==';

const SAMPLE_ID = 123;
/** 1 January 2026, 12:00 UTC. */
const SAMPLE_TIME = 1_767_268_800;

/** A request as a receiver gets it. */
export interface SampleRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A delivery of an event of this type, signed with `SAMPLE_SECRET`: the headers that `signDelivery` of the sender makes.
 *
 * @param data the event's `data`
 */
export async function sampleRequest(type: string, data: unknown, shape: BodyShape): Promise<SampleRequest> {
  const event = { id: SAMPLE_ID, type, timestamp: SAMPLE_TIME };
  const form = bodyFormOf({ shape }, 'acc_sample');
  const body = bodyText(event, JSON.stringify(data), form);
  const id = String(SAMPLE_ID);
  const time = String(SAMPLE_TIME);
  const ownKey = new TextEncoder().encode(SAMPLE_SECRET);
  const standardKey = bytesOf(atob(SAMPLE_SECRET.slice('whsec_'.length)));
  return {
    headers: {
      ...bodyHeaders(event, form),
      'X-Webhook-ID': id,
      'X-Webhook-Type': type,
      'X-Webhook-Timestamp': time,
      'X-Webhook-Signature': `sha256=${hexOf(await hmac(ownKey, body))}`,
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${base64Of(await hmac(standardKey, `${id}.${time}.${body}`))}`,
    },
    body,
  };
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}

function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

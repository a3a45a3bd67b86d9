import { bodyFormOf, bodyHeaders, bodyText, storedBodyFormOf, type BodyForm } from '../domain/body-form';
import { filterOf, hasPatternFor } from '../events/match-destinations';
import {
  CUT_MARK,
  MAX_BODIES,
  MAX_BODY_LENGTH,
  type BodyPair,
  type BodyPairs,
  type Counts,
  type EndpointRehearsal,
  type MatchedPage,
  type RehearsedEndpoint,
  type RehearsedEvent,
} from './rehearsal-contract';

/** Which of the two endpoints get an event. */
interface Goes {
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * Counts the events of a page that go to an endpoint before and after a change, and composes some of their bodies, with
 * the functions of the ingest.
 */
export function matchPage(change: EndpointRehearsal, events: readonly RehearsedEvent[]): MatchedPage {
  const types = new Map<string, Counts>();
  const seconds = new Map<number, Counts>();
  const bodies = createBodyPicker(change);
  for (const event of events) {
    const parsed = createParsed(event);
    const goes = {
      before: change.before !== undefined && goesTo(change.before, event, parsed),
      after: goesTo(change.after, event, parsed),
    };
    count(types, event.type, goes);
    if (!goes.before && !goes.after) continue;
    count(seconds, event.timestamp, goes);
    bodies.look(event, goes);
  }
  return { kind: 'endpoint', types: [...types], seconds: [...seconds], bodies: bodies.picked() };
}

function goesTo(endpoint: RehearsedEndpoint, { type }: RehearsedEvent, parsed: () => unknown): boolean {
  return hasPatternFor(endpoint, type) && (filterOf(endpoint)?.matches(parsed()) ?? true);
}

/** Parses the data of an event at most once, and only for a filter. */
function createParsed({ data }: RehearsedEvent): () => unknown {
  let found: { readonly value: unknown } | undefined;
  return () => (found ??= { value: JSON.parse(textOf(data)) as unknown }).value;
}

function count<Key>(counts: Map<Key, Counts>, key: Key, goes: Goes): void {
  const known = counts.get(key) ?? { before: 0, after: 0 };
  counts.set(key, { before: known.before + Number(goes.before), after: known.after + Number(goes.after) });
}

/** Picks the first events of each kind. */
function createBodyPicker({ accountId, defaultBody, before, after }: EndpointRehearsal) {
  const form = ({ options }: RehearsedEndpoint): BodyForm =>
    bodyFormOf(storedBodyFormOf(options, defaultBody), accountId);
  const forms = { before: form(before ?? after), after: form(after) };
  const isSameForm = JSON.stringify(forms.before) === JSON.stringify(forms.after);
  const picked: Record<keyof BodyPairs, BodyPair[]> = { changed: [], moved: [], same: [] };
  const isFull = (kind: keyof BodyPairs): boolean => picked[kind].length >= MAX_BODIES;
  return {
    look(event: RehearsedEvent, goes: Goes): void {
      const isMoved = goes.before !== goes.after;
      // Most changes don't touch the body, and then no more of them need be composed.
      if (isFull(isMoved ? 'moved' : isSameForm ? 'same' : 'changed')) return;
      const data = textOf(event.data);
      const texts = {
        before: goes.before ? bodyText(event, data, forms.before) : null,
        after: goes.after ? bodyText(event, data, forms.after) : null,
      };
      const kind = isMoved ? 'moved' : texts.before === texts.after ? 'same' : 'changed';
      if (isFull(kind)) return;
      picked[kind].push({
        event_id: event.id,
        type: event.type,
        before: cut(texts.before),
        after: cut(texts.after),
        content_type_before: goes.before ? contentTypeOf(event, forms.before) : null,
        content_type_after: goes.after ? contentTypeOf(event, forms.after) : null,
      });
    },
    picked: (): BodyPairs => picked,
  };
}

function contentTypeOf(event: RehearsedEvent, form: BodyForm): string {
  return bodyHeaders(event, form)['Content-Type']!;
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= MAX_BODY_LENGTH) return text;
  // The database stores no half of a surrogate pair.
  return text.slice(0, MAX_BODY_LENGTH).replace(/[\uD800-\uDBFF]$/, '') + CUT_MARK;
}

function textOf(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
}

import { ENDPOINT_FLAG_NAMES, ENDPOINT_FLAGS } from '../../../src/domain/endpoint-flags';
import { BODY_CHOICES } from './body-shapes';
import type { EndpointDraft } from './endpoint-draft';

/** A field of the form of an endpoint. */
export interface EndpointField {
  /** Its name in the API and in the audit log. */
  readonly name: string;
  readonly label: string;
  /** The parts of a draft that hold it. */
  readonly parts: readonly (keyof EndpointDraft)[];
  /** No answer shows its stored value, so a change of it shows only in the audit log. */
  readonly isHidden?: true;
}

const AUTHENTICATION: EndpointField = {
  name: 'options.authentication',
  label: 'Authentication',
  parts: ['authentication', 'username', 'credential'],
  isHidden: true,
};

const BODY: EndpointField = { name: 'options.body', label: 'Body', parts: ['body'] };

/** The fields of the form, in its order. */
export const ENDPOINT_FIELDS: readonly EndpointField[] = [
  { name: 'url', label: 'URL', parts: ['url'] },
  { name: 'events', label: 'Events', parts: ['events'] },
  { name: 'description', label: 'Description', parts: ['description'] },
  { name: 'metadata', label: 'Metadata', parts: ['metadata'] },
  { name: 'options.retry_schedule', label: 'Retry schedule', parts: ['retrySchedule'] },
  { name: 'options.retry_jitter', label: 'Spread of retries', parts: ['retryJitter'] },
  { name: 'options.max_per_second', label: 'Maximum attempts per second', parts: ['maxPerSecond'] },
  ...ENDPOINT_FLAG_NAMES.map((name) => ({
    name: `options.${name}`,
    label: ENDPOINT_FLAGS[name].label,
    parts: [name],
  })),
  { name: 'options.headers', label: 'Extra headers', parts: ['headers'], isHidden: true },
  AUTHENTICATION,
  { name: 'options.filter', label: 'Filter on data', parts: ['filter'] },
  BODY,
  { name: 'options.include', label: 'Only these members of data', parts: ['include'] },
  { name: 'options.exclude', label: 'Without these members of data', parts: ['exclude'] },
];

/** The fields in which two drafts differ. */
export function differingFields(one: EndpointDraft, other: EndpointDraft): EndpointField[] {
  return ENDPOINT_FIELDS.filter((field) => valueOf(field, one) !== valueOf(field, other));
}

function valueOf(field: EndpointField, draft: EndpointDraft): string {
  // What is typed for a credential counts only as long as it is to be sent.
  const isSent = field !== AUTHENTICATION || draft.authentication === 'basic' || draft.authentication === 'bearer';
  return JSON.stringify(isSent ? field.parts.map((part) => draft[part]) : draft.authentication);
}

/** A draft with some fields of another one. */
export function withFieldsOf(
  draft: EndpointDraft,
  other: EndpointDraft,
  fields: readonly EndpointField[],
): EndpointDraft {
  const parts = fields.flatMap((field) => field.parts.map((part) => [part, other[part]] as const));
  return { ...draft, ...Object.fromEntries(parts) };
}

/** The value of a field, for people. */
export function fieldInWords(field: EndpointField, draft: EndpointDraft): string {
  if (field === AUTHENTICATION) return AUTHENTICATION_IN_WORDS[draft.authentication];
  if (field === BODY) return BODY_CHOICES[draft.body];
  const value = draft[field.parts[0]!];
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  return (typeof value === 'string' ? value.trim() : value.join(', ')) || 'None';
}

const AUTHENTICATION_IN_WORDS = {
  none: 'None',
  keep: 'The stored credential',
  basic: 'The user name and password that you entered',
  bearer: 'The token that you entered',
} as const;

import { z } from 'zod';
import { NOT_PLAIN, PLAIN_TEXT } from '../domain/plain-text';

/** The limits of Stripe's metadata. */
const MAX_METADATA = 50;
const MAX_METADATA_NAME = 40;
const MAX_METADATA_VALUE = 500;

/**
 * A map of texts that belongs to the caller. Not a zod record, which would silently drop a member named `__proto__`.
 *
 * @param use what happens with it, as a sentence
 */
export const metadataOf = (use: string) =>
  z
    .custom<Record<string, string>>()
    .superRefine((map, context) => {
      for (const { path, message } of problemsOfMetadata(map)) context.addIssue({ code: 'custom', path, message });
    })
    .meta({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: MAX_METADATA_VALUE, pattern: PLAIN_TEXT.source },
      propertyNames: { minLength: 1, maxLength: MAX_METADATA_NAME, pattern: PLAIN_TEXT.source },
      maxProperties: MAX_METADATA,
      description: `The caller's own map of texts. ${use}`,
      example: { tenant: 'acme' },
    });

function problemsOfMetadata(map: unknown): { readonly path: string[]; readonly message: string }[] {
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    return [{ path: [], message: 'must be an object' }];
  const entries = Object.entries(map);
  const tooMany = { path: [], message: `must have at most ${MAX_METADATA} members` };
  return [
    ...(entries.length > MAX_METADATA ? [tooMany] : []),
    ...entries.flatMap(([name, value]) => {
      const message = problemOfMetadata(name, value);
      return message === undefined ? [] : [{ path: [name], message }];
    }),
  ];
}

function problemOfMetadata(name: string, value: unknown): string | undefined {
  const isName = name.length >= 1 && name.length <= MAX_METADATA_NAME;
  if (!isName) return `must have a name of 1 to ${MAX_METADATA_NAME} characters`;
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_METADATA_VALUE) return `must have at most ${MAX_METADATA_VALUE} characters`;
  if (!PLAIN_TEXT.test(name) || !PLAIN_TEXT.test(value)) return NOT_PLAIN;
  return /\p{Surrogate}/u.test(name + value) ? 'must not contain half a surrogate pair' : undefined;
}

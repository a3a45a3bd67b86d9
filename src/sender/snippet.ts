import { headerOf } from './read-leniently';

/** How much of a body is kept, for people who look at a failed attempt. */
export const SNIPPET_BYTES = 1024;

/** Control characters, which can control terminals and break some databases and viewers; tabs and line ends stay. */
export const CONTROL_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** The first bytes of gzip (RFC 1952) and Zstandard (RFC 8878). */
const MAGIC: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/**
 * The first KiB of a body as text that can be stored and shown, without a cut character at the end.
 *
 * A body that is not UTF-8 is read in the charset that its headers name, else in windows-1252, as browsers do. A
 * compressed body is not decompressed: its snippet says that it is compressed.
 *
 * @param rawHeaders names and values in turn
 */
export function snippetOf(bytes: Buffer, rawHeaders: readonly string[]): string {
  const text = decode(bytes.subarray(0, SNIPPET_BYTES), rawHeaders);
  return text.replace(CONTROL_CHARACTERS, '\uFFFD');
}

function decode(bytes: Buffer, rawHeaders: readonly string[]): string {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headerOf(rawHeaders, 'content-type') ?? '')?.[1];
  const named = charset === undefined ? undefined : decoderOf(charset);
  const isOther = named !== undefined && named.encoding !== 'utf-8';
  const utf8 = decodeStrictly(bytes);
  const compression = utf8 === undefined ? compressionOf(bytes, rawHeaders) : undefined;
  if (compression !== undefined) return `[The body is compressed (${compression}), which was not asked for.]`;
  // In streaming mode a decoder holds back an unfinished last character.
  if (isOther) return named.decode(bytes, { stream: true });
  return utf8 ?? new TextDecoder('windows-1252').decode(bytes);
}

function decodeStrictly(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** @returns undefined for a charset that does not exist */
function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function compressionOf(bytes: Buffer, rawHeaders: readonly string[]): string | undefined {
  const label = headerOf(rawHeaders, 'content-encoding')?.trim().toLowerCase();
  if (label !== undefined && label !== '' && label !== 'identity') return label.slice(0, 40);
  return MAGIC.find(([, magic]) => magic.every((byte, at) => bytes[at] === byte))?.[0];
}

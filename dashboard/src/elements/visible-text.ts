/**
 * Characters that show nothing and change how others look: control characters (but for line ends and tabs), marks that turn
 * the direction of writing around, spaces without width, and halves of characters.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\u200b\u2028\u2029\u2060\ufeff]/gu;

/** A text in which such characters stand as the escapes that JSON has for them: `\u202e`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

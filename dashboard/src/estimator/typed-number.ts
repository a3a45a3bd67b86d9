/** A text from a number field: the number, or what is wrong. */
export interface TypedNumber {
  /** NaN if the text is empty, negative or has a problem: nothing calculates with it. */
  readonly value: number;
  /** What to type instead, in words to stand beside the field. */
  readonly problem?: string;
}

/** A double holds each decimal of so many digits, so that the sum is of what stands in the field. */
const MAX_DIGITS = 15;
const MAX_SHOWN = 20;
const PLAIN = /^(?:\d+\.?\d*|\.\d+)$/;
/** 1,000,000.5 */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
const WITH_EXPONENT = /^(?:\d+\.?\d*|\.\d+)e\+?-?\d+$/i;

/**
 * Reads a number as it stands: digits, a point for decimals, commas between thousands. Anything else is refused and
 * never corrected, because a guess would change the sum in silence: is `0,5` a half, or five?
 */
export function readNumber(text: string): TypedNumber {
  const typed = text.trim();
  if (typed === '' || /^[-−]\d/.test(typed)) return { value: Number.NaN };
  if (PLAIN.test(typed) || GROUPED.test(typed)) {
    const plain = typed.replaceAll(',', '');
    return digitsOf(plain) > MAX_DIGITS ? refused(`Must have at most ${MAX_DIGITS} digits`) : { value: Number(plain) };
  }
  const meant = meantBy(typed);
  if (meant !== undefined) return refused(`${meant.advice}: ${meant.number}`);
  const shown = typed.length > MAX_SHOWN ? `${typed.slice(0, MAX_SHOWN)}…` : typed;
  return refused(`“${shown}” is not a number; type one such as 1500 or 0.5`);
}

function meantBy(typed: string): { readonly advice: string; readonly number: string } | undefined {
  if (WITH_EXPONENT.test(typed)) {
    const number = plainDecimal(Number(typed));
    return PLAIN.test(number) && Number(number) === Number(typed) && digitsOf(number) <= MAX_DIGITS
      ? { advice: 'Write all its digits', number }
      : undefined;
  }
  const withoutSpaces = typed.replaceAll(/[\s'’_]/g, '');
  if (withoutSpaces !== typed && PLAIN.test(withoutSpaces))
    return { advice: 'Write it without spaces or marks', number: withoutSpaces };
  // 0,5 and 1.000,5
  const [, whole, decimals] = /^(\d+|\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(withoutSpaces) ?? [];
  if (whole === undefined) return undefined;
  return { advice: 'Write decimals with a point', number: `${whole.replaceAll('.', '')}.${decimals}` };
}

/** How many digits the number has between its first and its last that is not zero. */
function digitsOf(plain: string): number {
  const [whole = '', decimals = ''] = plain.split('.');
  const digits = `${whole}${decimals.replace(/0+$/, '')}`.replace(/^0+/, '');
  return digits.replace(/0+$/, '').length;
}

/** The number without an exponent. */
function plainDecimal(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false });
}

function refused(problem: string): TypedNumber {
  return { value: Number.NaN, problem };
}

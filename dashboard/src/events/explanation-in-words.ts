import type { DeliveryExplanation } from '../api/answers';

type Condition = DeliveryExplanation['conditions'][number];

/** How operators are written between a field and a value. */
const SIGNS: Readonly<Record<string, string>> = {
  $eq: '=',
  $ne: '≠',
  $gt: '>',
  $gte: '≥',
  $lt: '<',
  $lte: '≤',
  $in: 'is one of',
  $nin: 'is none of',
};

/** As many as one line shows. */
const MAX_PATTERNS = 5;

/** Why an endpoint did not get an event, in sentences. */
export function explanationInWords(
  { reasons, patterns, changed_since: isChanged }: DeliveryExplanation,
  type: string,
): string[] {
  const sentences = reasons.map((reason) => {
    switch (reason) {
      case 'created_later':
        return 'This endpoint was created after the event was accepted.';
      case 'type_not_matched':
        return `None of its patterns matches ${type}: ${listed(patterns)}.`;
      case 'filter_refused':
        return 'Its filter refuses the data of this event.';
      case 'test_event':
        return 'This event is a test of one endpoint, so it went to no other one.';
      case 'matches_now':
        return isChanged
          ? 'Its patterns and its filter match this event now. They were others when the event was accepted.'
          : 'Its patterns and its filter match this event now. It was created or changed just when the event was accepted.';
    }
  });
  if (isChanged && !reasons.includes('matches_now'))
    sentences.push('It was changed after the event was accepted: this is what its present patterns and filter say.');
  if (reasons.length === 1 && reasons[0] === 'created_later')
    sentences.push('Its patterns and its filter match: it gets events like this one now.');
  return sentences;
}

/** A condition that kept the event out, and what the event has there: `total ≥ 1000, but it is 5`. */
export function conditionInWords({ path, field, operator, operand, found }: Condition): string {
  const condition = `${field} ${SIGNS[operator] ?? operator} ${JSON.stringify(operand)}`;
  const value = found === null ? 'the event has no such field' : `it is ${found}`;
  return isExcluded(path) ? `not ${condition}, but ${value}` : `${condition}, but ${value}`;
}

/** Whether one of several conditions would have been enough. */
export function hasAlternatives(conditions: readonly Pick<Condition, 'path'>[]): boolean {
  return conditions.some(({ path }) => path.split('.').includes('$or'));
}

/** Below `$nor`, a condition that is met keeps the event out; below two of them, one that is not. */
function isExcluded(path: string): boolean {
  return path.split('.').filter((part) => part === '$nor').length % 2 === 1;
}

function listed(patterns: readonly string[]): string {
  const more = patterns.length - MAX_PATTERNS;
  const names = patterns.slice(0, MAX_PATTERNS).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}

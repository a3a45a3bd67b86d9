import type { ListedType } from '../api/answers';
import { groupsOf } from './group-types';

/** Choices under a title. */
export interface ChoiceGroup {
  readonly group: string;
  readonly items: string[];
}

/** The types of the catalog by group, and then the other ones that were seen. No type is there twice. */
export function typeChoices(described: readonly ListedType[], seen: readonly string[]): ChoiceGroup[] {
  const names = new Set(described.map(({ name }) => name));
  const others = seen.filter((type) => !names.has(type));
  return [
    ...groupsOf(described).map(({ group, types }) => ({
      group: group ?? 'Other event types',
      items: types.map(({ name }) => name),
    })),
    ...(others.length > 0 ? [{ group: 'Seen in the last 30 days', items: others }] : []),
  ];
}

/** Patterns for an endpoint: all events, the prefixes that two or more types share, and each type. */
export function patternChoices(described: readonly ListedType[], seen: readonly string[]): (string | ChoiceGroup)[] {
  const choices = typeChoices(described, seen);
  const prefixes = choices
    .flatMap(({ items }) => items)
    .filter((type) => type.includes('.'))
    .map((type) => `${type.slice(0, type.indexOf('.'))}.*`);
  const shared = prefixes.filter((prefix, index) => prefixes.indexOf(prefix) !== index);
  return ['*', ...new Set(shared), ...choices];
}

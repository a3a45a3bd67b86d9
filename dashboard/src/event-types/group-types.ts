import type { ListedType } from '../api/answers';

interface TypeGroup {
  /** Null for the types without one. */
  readonly group: string | null;
  readonly types: readonly ListedType[];
}

/** The types by group: groups by name, and at the end the types without one. */
export function groupsOf(types: readonly ListedType[]): TypeGroup[] {
  const byGroup = new Map<string | null, ListedType[]>();
  for (const type of types) byGroup.set(type.group, [...(byGroup.get(type.group) ?? []), type]);
  const named = [...byGroup.keys()].filter((group) => group !== null);
  return [...named.toSorted((a, b) => a.localeCompare(b, 'en')), null].flatMap((group) => {
    const members = byGroup.get(group);
    return members ? [{ group, types: members }] : [];
  });
}

/** The types with this text in their name, group or description, in any case. */
export function searchTypes(types: readonly ListedType[], text: string): readonly ListedType[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return types;
  return types.filter(({ name, group, description }) =>
    [name, group, description].some((one) => one?.toLowerCase().includes(wanted)),
  );
}

import { useLocalStorage } from '@mantine/hooks';

const NONE: readonly never[] = [];

/**
 * A list that this browser keeps under a key, and a function that replaces it. What another program wrote there is left
 * out.
 *
 * @param isItem whether a value is an item of the list
 */
export function useStoredList<Item>(key: string, isItem: (value: unknown) => value is Item) {
  return useLocalStorage<readonly Item[]>({
    key,
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: (stored) => readList(stored, isItem),
  });
}

function readList<Item>(stored: string | undefined, isItem: (value: unknown) => value is Item): readonly Item[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isItem) : NONE;
  } catch {
    return NONE;
  }
}

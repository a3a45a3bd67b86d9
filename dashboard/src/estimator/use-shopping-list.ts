import { useEffect, useReducer, useState } from 'react';
import type { CatalogIndex } from '../../../src/domain/catalog';
import { decodeList, encodeList } from './share-link';
import { findEntry, hasRoom, type Line, type LineInput } from './shopping-list';

/** Where this tab remembers its list while other pages are looked at. */
const REMEMBERED = 'everpost.estimator';
const WRITE_AFTER_MS = 250;

interface State {
  readonly lines: readonly Line[];
  readonly nextId: number;
}

type Change =
  | { readonly type: 'add'; readonly inputs: readonly LineInput[] }
  | { readonly type: 'type'; readonly id: number; readonly quantity?: string; readonly usage?: string }
  | { readonly type: 'remove'; readonly id: number }
  | { readonly type: 'replace'; readonly inputs: readonly LineInput[] };

/** The shopping list, which lives in the address: a copied address is a shared list. */
export function useShoppingList(index: CatalogIndex) {
  const [{ state: initial, leftOut: leftOutAtFirst }] = useState(() => stateFromAddress(index));
  const [state, change] = useReducer(reduce, initial);
  const [leftOut, setLeftOut] = useState(leftOutAtFirst);

  useEffect(() => {
    const timer = setTimeout(() => writeAddress(state.lines), WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state.lines]);

  useEffect(() => {
    // The user pasted another list into the address of this tab.
    const reload = (): void => {
      const read = readAddress(index);
      change({ type: 'replace', inputs: read.inputs });
      setLeftOut(read.leftOut);
    };
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, [index]);

  return { lines: state.lines, leftOut, forgetLeftOut: () => setLeftOut(0), change };
}

/** What `useShoppingList` returns. */
export type ShoppingList = ReturnType<typeof useShoppingList>;

function reduce(state: State, change: Change): State {
  switch (change.type) {
    case 'add':
      return withInputs(state, change.inputs);
    case 'replace':
      return withInputs({ ...state, lines: [] }, change.inputs);
    case 'remove':
      return { ...state, lines: state.lines.filter(({ id }) => id !== change.id) };
    case 'type': {
      const { id, quantity, usage } = change;
      const lines = state.lines.map((line) =>
        line.id === id ? { ...line, quantity: quantity ?? line.quantity, usage: usage ?? line.usage } : line,
      );
      return { ...state, lines };
    }
  }
}

function withInputs({ lines, nextId }: State, inputs: readonly LineInput[]): State {
  const all = [...lines];
  for (const input of inputs) if (hasRoom(all)) all.push({ ...input, id: nextId + all.length - lines.length });
  return { lines: all, nextId: nextId + inputs.length };
}

function stateFromAddress(index: CatalogIndex): { readonly state: State; readonly leftOut: number } {
  const { inputs, leftOut } = readAddress(index);
  return { state: withInputs({ lines: [], nextId: 1 }, inputs), leftOut };
}

function readAddress(index: CatalogIndex): { readonly inputs: readonly LineInput[]; readonly leftOut: number } {
  const { lines, unreadable } = decodeList(location.hash === '' ? remembered() : location.hash);
  const known = lines.flatMap((line) => {
    const entry = findEntry(index, line)?.entry;
    // The catalog's own spelling, whatever the link's was.
    return entry ? [{ ...line, service: entry.service, instance: entry.instance }] : [];
  });
  return { inputs: known, leftOut: unreadable + lines.length - known.length };
}

function writeAddress(lines: readonly LineInput[]): void {
  const hash = encodeList(lines);
  remember(hash);
  const { pathname, search } = location;
  history.replaceState(history.state, '', `${pathname}${search}${hash === '' ? '' : `#${hash}`}`);
}

function remembered(): string {
  try {
    return sessionStorage.getItem(REMEMBERED) ?? '';
  } catch {
    return '';
  }
}

/** Where storage is forbidden, the list is forgotten with the page. */
function remember(hash: string): void {
  try {
    sessionStorage.setItem(REMEMBERED, hash);
  } catch {
    // The address still has it.
  }
}

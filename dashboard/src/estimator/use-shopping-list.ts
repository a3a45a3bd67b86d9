import { useEffect, useReducer, useState } from 'react';
import type { CatalogIndex } from '../../../src/domain/catalog';
import { changeList, listOf, type ListInput, type ListState } from './list-state';
import { decodeList, encodeList } from './share-link';
import { findEntry } from './shopping-list';

/** Where this tab remembers its list while other pages are looked at. */
const REMEMBERED = 'everpost.estimator';
const WRITE_AFTER_MS = 250;

/** The shopping list, which lives in the address: a copied address is a shared list. */
export function useShoppingList(index: CatalogIndex) {
  const [{ state: initial, leftOut: leftOutAtFirst }] = useState(() => stateFromAddress(index));
  const [state, change] = useReducer(changeList, initial);
  const [leftOut, setLeftOut] = useState(leftOutAtFirst);

  useEffect(() => {
    const timer = setTimeout(() => writeAddress({ lines: state.lines, discounts: state.discounts }), WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state.lines, state.discounts]);

  useEffect(() => {
    // The user pasted another list into the address of this tab.
    const reload = (): void => {
      const read = readAddress(index);
      change({ type: 'replace', input: read.input });
      setLeftOut(read.leftOut);
    };
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, [index]);

  return { ...state, leftOut, forgetLeftOut: () => setLeftOut(0), change };
}

/** What `useShoppingList` returns. */
export type ShoppingList = ReturnType<typeof useShoppingList>;

function stateFromAddress(index: CatalogIndex): { readonly state: ListState; readonly leftOut: number } {
  const { input, leftOut } = readAddress(index);
  return { state: listOf(input), leftOut };
}

function readAddress(index: CatalogIndex): { readonly input: ListInput; readonly leftOut: number } {
  const { lines, discounts, unreadable } = decodeList(location.hash === '' ? remembered() : location.hash);
  const known = lines.flatMap((line) => {
    const entry = findEntry(index, line)?.entry;
    // The catalog's own spelling, whatever the link's was.
    return entry ? [{ ...line, service: entry.service, instance: entry.instance }] : [];
  });
  return { input: { lines: known, discounts }, leftOut: unreadable + lines.length - known.length };
}

function writeAddress(list: ListInput): void {
  const hash = encodeList(list);
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

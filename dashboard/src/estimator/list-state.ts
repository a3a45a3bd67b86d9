import { MAX_DISCOUNTS, type DiscountInput, type TypedDiscount } from './list-discounts';
import { hasRoom, type Line, type LineInput } from './shopping-list';

/** What a list holds, as it was typed. */
export interface ListInput {
  readonly lines: readonly LineInput[];
  readonly discounts: readonly DiscountInput[];
}

/** The shopping list of this visit. */
export interface ListState {
  readonly lines: readonly Line[];
  readonly discounts: readonly TypedDiscount[];
  readonly nextId: number;
  /** The list before something was taken from it; until the next change. */
  readonly before?: Pick<ListState, 'lines' | 'discounts'>;
}

/** Everything that a person does to the list. */
export type ListChange =
  | { readonly type: 'add'; readonly inputs: readonly LineInput[] }
  | { readonly type: 'type'; readonly id: number; readonly quantity?: string; readonly usage?: string }
  | { readonly type: 'remove'; readonly id: number }
  | { readonly type: 'clear' }
  | { readonly type: 'undo' }
  | { readonly type: 'replace'; readonly input: ListInput }
  | { readonly type: 'add discount' }
  | { readonly type: 'change discount'; readonly id: number; readonly to: Partial<DiscountInput> }
  | { readonly type: 'remove discount'; readonly id: number };

const NEW_DISCOUNT: DiscountInput = { provider: 'all', category: 'all', percent: '' };

/** A list from an address. */
export function listOf(input: ListInput, nextId = 1): ListState {
  const discounts = input.discounts
    .slice(0, MAX_DISCOUNTS)
    .map((discount, at) => Object.assign({}, discount, { id: nextId + at }));
  return withLines({ lines: [], discounts, nextId: nextId + discounts.length }, input.lines);
}

/** The list after a change. */
export function changeList(state: ListState, change: ListChange): ListState {
  const { lines, discounts, nextId } = state;
  const now = { lines, discounts, nextId };
  const before = { lines, discounts };
  switch (change.type) {
    case 'add':
      return withLines(now, change.inputs);
    case 'replace':
      return listOf(change.input, nextId);
    case 'clear':
      return { lines: [], discounts: [], nextId, before };
    case 'undo':
      return { ...now, ...state.before };
    case 'remove':
      return { ...now, lines: lines.filter(({ id }) => id !== change.id), before };
    case 'type': {
      const { type: _, id, ...typed } = change;
      return { ...now, lines: lines.map((line) => (line.id === id ? { ...line, ...typed } : line)) };
    }
    case 'add discount':
      return { ...now, discounts: [...discounts, { ...NEW_DISCOUNT, id: nextId }], nextId: nextId + 1 };
    case 'change discount':
      return {
        ...now,
        discounts: discounts.map((one) => (one.id === change.id ? { ...one, ...change.to } : one)),
      };
    case 'remove discount':
      return { ...now, discounts: discounts.filter(({ id }) => id !== change.id), before };
  }
}

function withLines(state: ListState, inputs: readonly LineInput[]): ListState {
  const all = [...state.lines];
  for (const input of inputs)
    if (hasRoom(all)) all.push({ ...input, id: state.nextId + all.length - state.lines.length });
  return { ...state, lines: all, nextId: state.nextId + inputs.length };
}

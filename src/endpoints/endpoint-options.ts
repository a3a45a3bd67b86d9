import { forEachFlag } from '../domain/endpoint-flags';
import type { StoredOptions } from '../stores/endpoint-store';
import {
  forEachValue,
  VALUE_OPTIONS,
  type OptionsBody,
  type ShownOptions,
  type ValueOptionName,
} from './options-schema';
import { hasCredential, hasHeaders, type OptionPlace } from './sealed-options';
import type { Authentication } from './option-values-schema';

/**
 * Merges a change into an endpoint's options: absent ones stay, null and false switch off.
 *
 * @throws InvalidRequestError for an option that contradicts what is stored
 * @returns the options to store; an option that is off is absent
 */
export function mergeOptions(place: OptionPlace, change: OptionsBody): StoredOptions {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  const stored = sent.map(([name, value]) => [name, value === null ? null : storedOf(name, value, place)]);
  const merged: [string, unknown][] = Object.entries({ ...place.current, ...Object.fromEntries(stored) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== false)) as StoredOptions;
}

/** The options of a change that are not as they are stored. Sealed ones are compared in the clear. */
export function changedOptions(place: OptionPlace, change: OptionsBody): OptionsBody {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.filter(([name, value]) => !isStored(name, value, place)));
}

function isStored(name: string, value: unknown, place: OptionPlace): boolean {
  const stored = (place.current as Record<string, unknown> | undefined)?.[name];
  if (value === null || value === false) return stored === undefined;
  if (stored === undefined) return false;
  if (name === 'headers') return hasHeaders(place, value as Record<string, string>);
  if (name === 'authentication') return hasCredential(place, value as Authentication);
  return JSON.stringify(storedOf(name, value, place)) === JSON.stringify(stored);
}

function storedOf(name: string, value: unknown, place: OptionPlace): unknown {
  return name in VALUE_OPTIONS ? VALUE_OPTIONS[name as ValueOptionName].store(value as never, place) : value;
}

/** The options of an endpoint for all who may read it: names of headers, but no values, no password, no token. */
export function showOptions(place: OptionPlace): ShownOptions {
  const { current } = place;
  return {
    ...(forEachValue(({ show }, name) => {
      const stored = current?.[name];
      return stored === undefined ? null : show(stored as never, place);
    }) as Pick<ShownOptions, ValueOptionName>),
    ...forEachFlag((name) => current?.[name] ?? false),
  };
}

import { useEffect, useRef } from 'react';

/**
 * Keeps the fields of a form at what the page's address says, because back and forward change it. The fields keep the
 * focus, which new ones would lose.
 *
 * @param values by the names of the fields
 * @returns for `ref` of the form
 */
export function useFieldValues(values: Readonly<Record<string, string>>) {
  const form = useRef<HTMLFormElement>(null);
  const written = JSON.stringify(values);
  useEffect(() => {
    for (const [name, value] of Object.entries(JSON.parse(written) as Record<string, string>)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
  }, [written]);
  return form;
}

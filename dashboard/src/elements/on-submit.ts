import type { SubmitEvent, SubmitEventHandler } from 'react';

/** The values of a form's fields, by their names; a field that is not there is empty. */
type Typed = (name: string) => string;

/** For `onSubmit` of a form: keeps the browser from leaving the page, and hands over what was typed. */
export function onSubmit(use: (typed: Typed, form: HTMLFormElement) => void): SubmitEventHandler<HTMLFormElement> {
  return (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    use((name) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    }, form);
  };
}

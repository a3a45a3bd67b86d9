import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { onSubmit } from '../elements/on-submit';

interface TextFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A text to search for: Enter searches. */
export function TextField({ text, onChange }: TextFieldProps) {
  const submit = onSubmit((typed) => onChange(typed('q').trim()));
  return (
    <form key={text} onSubmit={submit} role="search" aria-label="Text">
      <TextInput
        label="Find"
        name="q"
        type="search"
        placeholder="Event id, idempotency key, a value in the data, endpoint, order.*"
        leftSection={<Search size={16} aria-hidden />}
        defaultValue={text}
        w={{ base: '100%', sm: 460 }}
      />
    </form>
  );
}

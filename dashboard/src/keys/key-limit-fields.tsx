import { Checkbox, Select, SimpleGrid } from '@mantine/core';
import { scopeInWords, type KeyKind } from './key-kinds';
import { lifetimesWith } from './key-limits';

interface ScopeFieldProps {
  readonly kind: KeyKind;
  readonly chosen: string[];
  readonly onChange: (scopes: string[]) => void;
}

/** The scopes of a new key. */
export function ScopeField({ kind, chosen, onChange }: ScopeFieldProps) {
  return (
    <Checkbox.Group
      label="Permissions"
      description={`You can't change these later. ${kind.scopeAdvice}`}
      value={chosen}
      onChange={onChange}
      error={chosen.length === 0 && 'Choose at least one.'}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" my="xs">
        {kind.scopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeInWords(scope)} description={scope} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

interface ExpiryFieldProps {
  /** A duration that is to be among the choices. */
  readonly proposed: string;
  readonly chosen: string;
  readonly onChange: (duration: string) => void;
}

/** For how long a new key is valid. */
export function ExpiryField({ proposed, chosen, onChange }: ExpiryFieldProps) {
  return (
    <Select
      label="Expires"
      description="After that, every request with this key is refused."
      data={lifetimesWith(proposed)}
      value={chosen}
      onChange={(value) => onChange(value ?? chosen)}
      allowDeselect={false}
    />
  );
}

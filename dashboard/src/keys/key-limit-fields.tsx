import { Checkbox, Select, SimpleGrid } from '@mantine/core';
import { SCOPE_NAMES, SCOPES } from '../../../src/domain/scopes';
import { lifetimesWith } from './key-limits';

interface ScopeFieldProps {
  readonly chosen: string[];
  readonly onChange: (scopes: string[]) => void;
}

/** The scopes of a new key. */
export function ScopeField({ chosen, onChange }: ScopeFieldProps) {
  return (
    <Checkbox.Group
      label="Permissions"
      description="You can't change these later. A program that only sends events needs only “Send events”."
      value={chosen}
      onChange={onChange}
      error={chosen.length === 0 && 'Choose at least one.'}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" my="xs">
        {SCOPE_NAMES.map((scope) => (
          <Checkbox key={scope} value={scope} label={SCOPES[scope]} description={scope} />
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

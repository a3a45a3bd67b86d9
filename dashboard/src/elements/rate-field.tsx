import { NumberInput } from '@mantine/core';

interface RateFieldProps {
  /** Null for none, where `whenEmpty` says what that means. */
  readonly value: number | null;
  readonly max: number;
  readonly onChange: (rate: number | null) => void;
  readonly whenEmpty?: string;
}

/** How many deliveries are sent in a second. */
export function RateField({ value, max, onChange, whenEmpty }: RateFieldProps) {
  return (
    <NumberInput
      label="At most … per second"
      aria-label="At most per second"
      min={1}
      max={max}
      value={value ?? ''}
      onChange={(rate) => onChange(rate === '' ? null : Number(rate))}
      {...(whenEmpty !== undefined && { description: whenEmpty })}
      data-autofocus
    />
  );
}

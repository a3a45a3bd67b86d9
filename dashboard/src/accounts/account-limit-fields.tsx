import { Checkbox, Fieldset, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import type { AccountList } from '../api/answers';
import { ACCOUNT_LIMITS, limitOfTier, type AccountLimits } from './account-draft';

interface AccountLimitFieldsProps {
  readonly limits: AccountLimits;
  /** The chosen one. */
  readonly tier: AccountList['tiers'][number] | undefined;
  /** What is wrong with the field at this path of the body. */
  readonly problemAt: (path: string) => string | undefined;
  readonly onChange: (limits: AccountLimits) => void;
}

/** The limits that an account has in place of its tier's; an empty field shows that of the tier. */
export function AccountLimitFields({ limits, tier, problemAt, onChange }: AccountLimitFieldsProps) {
  const isUnlimited = limits.monthly_quota === null;
  const set = (name: keyof AccountLimits, value: number | null | undefined): void => {
    const { [name]: _replaced, ...others } = limits;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <Fieldset legend="Own limits">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {ACCOUNT_LIMITS.map(({ name, label }) => (
          <Stack key={name} gap={6}>
            <NumberInput
              label={label}
              placeholder={name === 'monthly_quota' && isUnlimited ? 'unlimited' : limitOfTier(tier, name)}
              value={limits[name] ?? ''}
              onChange={(value) => set(name, typeof value === 'number' ? value : undefined)}
              disabled={name === 'monthly_quota' && isUnlimited}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=","
              error={problemAt(`limits.${name}`)}
            />
            {name === 'monthly_quota' && (
              <Checkbox
                label="Unlimited"
                checked={isUnlimited}
                onChange={({ currentTarget }) => set(name, currentTarget.checked ? null : undefined)}
              />
            )}
          </Stack>
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

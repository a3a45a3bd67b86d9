import { ActionIcon, Button, NativeSelect, Text, TextInput, Title } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CATEGORIES, PROVIDERS } from '../../../src/domain/catalog';
import type { DiscountScope } from '../../../src/domain/discounts';
import classes from './estimator.module.css';
import { MAX_DISCOUNTS, type CheckedDiscount } from './list-discounts';
import { CATEGORY_NAMES, PROVIDER_NAMES } from './names';
import type { ShoppingList } from './use-shopping-list';

interface DiscountsSectionProps {
  readonly list: ShoppingList;
  readonly discounts: readonly CheckedDiscount[];
  readonly say: (news: string) => void;
}

/** The discounts on the list prices, by provider and category. */
export function DiscountsSection({ list, discounts, say }: DiscountsSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [added, setAdded] = useState<number>();
  if (list.lines.length === 0 && discounts.length === 0) return null;
  const remove = (id: number): void => {
    list.change({ type: 'remove discount', id });
    heading.current?.focus();
    say('Removed the discount.');
  };
  return (
    <section className={classes['card']} aria-labelledby="discounts">
      <div className={classes['sectionHead']}>
        <Title order={2} id="discounts" ref={heading} tabIndex={-1}>
          Discounts
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={discounts.length >= MAX_DISCOUNTS}
          onClick={() => {
            setAdded(list.nextId);
            list.change({ type: 'add discount' });
          }}
        >
          Add a discount
        </Button>
      </div>
      {discounts.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes['sectionBody']}>
          The sum is at list prices. If you pay less, add what your contract says.
        </Text>
      ) : (
        <>
          <ul className={classes['lines']}>
            {discounts.map((discount) => (
              <DiscountRow
                key={discount.typed.id}
                checked={discount}
                lineCount={list.lines.length}
                isNew={discount.typed.id === added}
                onChange={(to) => list.change({ type: 'change discount', id: discount.typed.id, to })}
                onRemove={() => remove(discount.typed.id)}
              />
            ))}
          </ul>
          <Text size="sm" c="dimmed" className={classes['sectionFoot']}>
            Where several are for the same line, they apply one after the other: 20% and 10% leave 72%.
          </Text>
        </>
      )}
    </section>
  );
}

interface DiscountRowProps {
  readonly checked: CheckedDiscount;
  /** Of the whole list. */
  readonly lineCount: number;
  /** Whether the button was pressed for it: its fields come next. */
  readonly isNew: boolean;
  readonly onChange: (to: Partial<CheckedDiscount['typed']>) => void;
  readonly onRemove: () => void;
}

function DiscountRow({ checked, lineCount, isNew, onChange, onRemove }: DiscountRowProps) {
  const { typed, problem, lineCount: ofLines } = checked;
  const firstField = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isNew) firstField.current?.focus();
  }, [isNew]);
  const name = nameOf(typed);
  return (
    <li className={classes['discount']} aria-label={`Discount on ${name}`}>
      <NativeSelect
        label="Provider"
        ref={firstField}
        labelProps={{ fz: 'xs' }}
        value={typed.provider}
        onChange={({ currentTarget }) => onChange({ provider: currentTarget.value as DiscountScope['provider'] })}
        data={[
          { value: 'all', label: 'All providers' },
          ...PROVIDERS.map((provider) => ({ value: provider, label: PROVIDER_NAMES[provider] })),
        ]}
      />
      <NativeSelect
        label="Category"
        labelProps={{ fz: 'xs' }}
        value={typed.category}
        onChange={({ currentTarget }) => onChange({ category: currentTarget.value as DiscountScope['category'] })}
        data={[
          { value: 'all', label: 'All categories' },
          ...CATEGORIES.map((category) => ({ value: category, label: CATEGORY_NAMES[category] })),
        ]}
      />
      <TextInput
        label="Percent off"
        labelProps={{ fz: 'xs' }}
        aria-label={`Percent off ${name}`}
        rightSection="%"
        value={typed.percent}
        onChange={({ currentTarget }) => onChange({ percent: currentTarget.value })}
        error={problem}
        description={`on ${ofLines} of ${lineCount} lines`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="decimal"
        autoComplete="off"
      />
      <ActionIcon
        className={classes['discountRemove']}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Remove the discount on ${name}`}
        onClick={onRemove}
      >
        <Trash2 size={17} aria-hidden />
      </ActionIcon>
    </li>
  );
}

/** `AWS, Compute`; `everything`. */
function nameOf({ provider, category }: DiscountScope): string {
  const names = [
    ...(provider === 'all' ? [] : [PROVIDER_NAMES[provider]]),
    ...(category === 'all' ? [] : [CATEGORY_NAMES[category]]),
  ];
  return names.length === 0 ? 'everything' : names.join(', ');
}

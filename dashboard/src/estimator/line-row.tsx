import { ActionIcon, Text, TextInput } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { USAGE_FIELDS, type PriceUnitForm } from '../../../src/domain/price-unit';
import classes from './estimator.module.css';
import { formatCount, formatUnitPrice, formatUsd } from './money';
import { PROVIDER_NAMES } from './names';
import { PriceDate } from './price-sources';
import { ProviderDot } from './provider-dot';
import type { PricedLine } from './shopping-list';
import { readNumber } from './typed-number';

/** From here on, people count the zeros. */
const LONG = 10_000;

interface LineRowProps {
  readonly pricedLine: PricedLine;
  readonly onType: (typed: { quantity?: string; usage?: string }) => void;
  readonly onRemove: () => void;
}

/** A line of the list, with exactly the inputs that its price unit needs. */
export function LineRow({ pricedLine, onType, onRemove }: LineRowProps) {
  const { line, priced, problems, monthlyUsd, listUsd, percentOff } = pricedLine;
  const { entry, form } = priced;
  const name = `${PROVIDER_NAMES[entry.provider]} ${entry.service} ${entry.instance}`;
  return (
    <li className={classes['line']} aria-label={name}>
      <div className={classes['lineName']}>
        <div className={classes['providerName']}>
          <ProviderDot provider={entry.provider} />
          {entry.instance}
        </div>
        <div className={classes['lineService']}>
          {PROVIDER_NAMES[entry.provider]} {entry.service}
        </div>
        <div className={`${classes['small']} figures`}>
          {formatUnitPrice(entry.priceUsd)} {entry.priceUnit} · {entry.region} <PriceDate entry={entry} />
        </div>
      </div>
      <div className={classes['lineFields']}>
        <UsageInput
          label={sentenceCase(form.quantityMeans)}
          of={name}
          value={line.quantity}
          hint={blocksHint(form, line.quantity)}
          problem={problems.quantity}
          onType={(quantity) => onType({ quantity })}
        />
        {form.usage && (
          <UsageInput
            label={sentenceCase(USAGE_FIELDS[form.usage].means)}
            of={name}
            value={line.usage}
            hint={form.usage === 'hoursPerMonth' && line.usage === '730' ? 'always on' : sizeHint(line.usage)}
            problem={problems.usage}
            onType={(usage) => onType({ usage })}
          />
        )}
      </div>
      <div className={`${classes['lineAmount']} figures`}>
        {monthlyUsd === undefined ? (
          <Text c="dimmed" size="sm">
            not counted
          </Text>
        ) : (
          <>
            {formatUsd(monthlyUsd)}
            {percentOff !== '0' && listUsd !== undefined && (
              <div className={`${classes['small']} ${classes['lineBefore']}`}>
                {formatUsd(listUsd)} less {formatCount(Number(percentOff))}%
              </div>
            )}
          </>
        )}
      </div>
      <div className={classes['lineRemove']}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove ${name}`} onClick={onRemove}>
          <Trash2 size={17} aria-hidden />
        </ActionIcon>
      </div>
    </li>
  );
}

interface UsageInputProps {
  readonly label: string;
  /** The line, for those who hear one field at a time. */
  readonly of: string;
  readonly value: string;
  readonly hint: string | undefined;
  readonly problem: string | undefined;
  readonly onType: (text: string) => void;
}

function UsageInput({ label, of, value, hint, problem, onType }: UsageInputProps) {
  return (
    <TextInput
      size="sm"
      labelProps={{ fz: 'xs' }}
      label={label}
      aria-label={`${label}, ${of}`}
      value={value}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      error={problem}
      description={hint}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** What 2.5 blocks are: `= 2,500,000 requests`. */
function blocksHint({ quantityMeans, blockSize }: PriceUnitForm, quantity: string): string | undefined {
  if (blockSize === 1) return sizeHint(quantity);
  const count = readNumber(quantity).value * blockSize;
  return Number.isFinite(count) ? `= ${formatCount(count)} ${quantityMeans.split(' ').at(-1)}` : undefined;
}

/** A long number with separators: `= 2,000,000`. */
function sizeHint(text: string): string | undefined {
  const { value } = readNumber(text);
  return value >= LONG && !text.includes(',') ? `= ${formatCount(value)}` : undefined;
}

function sentenceCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

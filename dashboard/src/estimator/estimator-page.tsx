import { Alert, Button, Drawer, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { CatalogEntry } from '../../../src/domain/catalog';
import { Page } from '../shell/page';
import { BreakdownSection } from './breakdown-section';
import { CatalogBrowser } from './catalog-browser';
import { catalogQuery, type Catalog } from './catalog-queries';
import { ComparisonSection } from './comparison-section';
import { DiscountsSection } from './discounts-section';
import classes from './estimator.module.css';
import { ExportMenu } from './export-menu';
import { ListPanel } from './list-panel';
import { formatUsd } from './money';
import { PROVIDER_NAMES } from './names';
import { PriceSources, PrintedSources } from './price-sources';
import { countLeftOut, findEntry, hasRoom, isIncomplete, newLine, priceList, type PricedList } from './shopping-list';
import { TotalCard } from './total-card';
import { useShoppingList } from './use-shopping-list';

const TITLE = 'Cost estimator';
/** Screen readers hear the total when the typing has stopped. */
const SAY_AFTER_MS = 700;

/** Prices of three cloud providers, and what a list of them costs. */
export function EstimatorPage() {
  const { data, error, refetch } = useQuery(catalogQuery);
  if (data) {
    return (
      <PriceSources>
        <Estimator catalog={data} />
      </PriceSources>
    );
  }
  return (
    <Page title={TITLE}>
      {error ? (
        <Alert
          role="alert"
          color="red"
          icon={<TriangleAlert size={18} aria-hidden />}
          title="The catalog could not be loaded"
        >
          <Stack align="flex-start" gap="sm">
            <Text size="sm">{error.message}</Text>
            <Button size="xs" onClick={() => void refetch()}>
              Try again
            </Button>
          </Stack>
        </Alert>
      ) : (
        <div className={classes['layout']} aria-busy="true">
          <Skeleton h={480} radius="lg" />
          <Skeleton h={260} radius="lg" />
        </div>
      )}
    </Page>
  );
}

function Estimator({ catalog: { entries, index } }: { readonly catalog: Catalog }) {
  const list = useShoppingList(index);
  const priced = useMemo(() => priceList(index, list.lines, list.discounts), [index, list.lines, list.discounts]);
  const [news, setNews] = useState('');
  const [isCatalogOpen, drawer] = useDisclosure(false);
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });

  const add = (entry: CatalogEntry): void => {
    const found = findEntry(index, entry);
    if (!found) return;
    list.change({ type: 'add', inputs: [newLine(found)] });
    setNews(`Added ${PROVIDER_NAMES[entry.provider]} ${entry.service} ${entry.instance}.`);
  };
  const browser = <CatalogBrowser entries={entries} lines={list.lines} onAdd={add} canAdd={hasRoom(list.lines)} />;

  return (
    <Page
      title={TITLE}
      description={`${entries.length} list prices of AWS, Azure and Google Cloud. Build a list of what you run; the total is exact.`}
      actions={
        <div className={classes['noPrint']}>
          <ExportMenu {...priced} />
        </div>
      }
    >
      <Announcer news={news} priced={priced} />
      <div className={classes['layout']}>
        {isWide && (
          <section aria-label="Catalog" className={`${classes['card']} ${classes['catalog']}`}>
            {browser}
          </section>
        )}
        <Stack gap="lg" pb={isWide ? 0 : 72}>
          <TotalCard {...priced} />
          <ListPanel list={list} priced={priced} say={setNews} />
          <DiscountsSection list={list} discounts={priced.discounts} say={setNews} />
          {priced.estimate && <BreakdownSection lines={priced.lines} discounts={priced.counted} />}
          {priced.estimate && <ComparisonSection index={index} lines={priced.lines} discounts={priced.counted} />}
          <PrintedSources entries={priced.lines.map((line) => line.priced.entry)} />
        </Stack>
      </div>
      {!isWide && (
        <>
          <Drawer opened={isCatalogOpen} onClose={drawer.close} title={summaryOf(priced)} position="bottom" size="92%">
            {browser}
          </Drawer>
          <div className={`${classes['bottomBar']} figures`}>
            <div>
              <Text size="xs" c="dimmed">
                {isIncomplete(priced) ? 'A month, incomplete' : 'A month'}
              </Text>
              <Text fw={650}>{formatUsd(priced.estimate?.totalMonthlyUsd ?? 0)}</Text>
            </div>
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={drawer.open}>
              Add a service
            </Button>
          </div>
        </>
      )}
    </Page>
  );
}

/** `3 lines, 1 not counted, $120.00 a month`. */
function summaryOf(priced: PricedList): string {
  const { lines, estimate } = priced;
  const left = countLeftOut(priced);
  return [
    lines.length === 1 ? '1 line' : `${lines.length} lines`,
    ...(left > 0 ? [`${left} not counted`] : []),
    ...(isIncomplete(priced) && left === 0 ? ['a discount not counted'] : []),
    `${formatUsd(estimate?.totalMonthlyUsd ?? 0)} a month`,
  ].join(', ');
}

/** Says what changed, and the total that came of it, to those who don't see it. */
function Announcer({ news, priced }: { readonly news: string; readonly priced: PricedList }) {
  const [said] = useDebouncedValue(`${news} ${summaryOf(priced)}.`.trim(), SAY_AFTER_MS);
  return (
    <VisuallyHidden role="status" aria-live="polite" data-testid="announcement">
      {said}
    </VisuallyHidden>
  );
}

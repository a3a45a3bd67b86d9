import { z } from 'zod';
import { CATEGORIES, keyOf, PROVIDER_SPELLINGS, providerOf, PROVIDERS, type CatalogRow } from '../domain/catalog';
import { MAX_ITEMS } from '../domain/cost-estimate';
import { MAX_QUANTITY } from '../domain/estimate-item';
import { ESTIMATE_WARNING_CODES, MAX_WARNINGS } from '../domain/estimate-warnings';
import { formOfPriceUnit, USAGE_FIELDS } from '../domain/price-unit';

/** Path of the cost estimator. Its limits apply to everything below it. */
export const ESTIMATOR_PATH = '/api/cost-estimator';

/** Path of what the other providers have in place of the entries. */
export const EQUIVALENTS_PATH = `${ESTIMATOR_PATH}/equivalents` as const;

/** Path of where the prices come from. */
export const SOURCES_PATH = `${ESTIMATOR_PATH}/sources` as const;

/** Ids of its operations, in the OpenAPI document and in the usage counts, by method and path. */
export const ESTIMATOR_OPERATIONS: Readonly<Record<string, string>> = {
  [`GET ${ESTIMATOR_PATH}`]: 'getCatalog',
  [`POST ${ESTIMATOR_PATH}`]: 'estimateCost',
  [`GET ${EQUIVALENTS_PATH}`]: 'listEquivalents',
  [`GET ${SOURCES_PATH}`]: 'listPriceSources',
};

/** The limits of a row's texts. */
const text = (most: number) =>
  z
    .string('must be a text')
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    .regex(/^(?!\s)[^\p{C}]*(?<!\s)$/u, 'must not begin or end with a space, and have no control characters');
const note = z.string('must be a text').max(500, 'must have at most 500 characters').default('');

/** The highest price of a row. */
const MAX_PRICE_USD = 1_000_000;

/** A row of a catalog file. */
export const catalogRowSchema: z.ZodType<CatalogRow> = z.strictObject({
  provider: z.enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`),
  category: z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`),
  service: text(40),
  instance: text(60),
  specs: text(100),
  priceUnit: z.string('must be a text').refine((unit) => formOfPriceUnit(unit) !== undefined, {
    message: 'must be a unit that can be calculated with, such as "per hour", "per GB/month" or "per million requests"',
  }),
  priceUsd: z
    .number('must be a number')
    .min(0, 'must not be negative')
    .max(MAX_PRICE_USD, `must be at most ${MAX_PRICE_USD}`),
  region: text(40),
  source: note,
  sourceDate: z
    .string('must be a text')
    .regex(/^(\d{4}(-\d\d(-\d\d)?)?|undated|)$/, 'must be a date such as 2026-07-20, or "undated"')
    .default(''),
  note,
  grade: z.enum(['A', 'B', 'C', ''], 'must be A, B or C').default(''),
});

const usd = (description: string) => z.number().min(0).meta({ description });

const category = z.enum(CATEGORIES, `must be one of ${CATEGORIES.join(', ')}`).meta({ id: 'Category' });
const providerSpelling = z
  .enum(PROVIDER_SPELLINGS, `must be one of ${PROVIDERS.join(', ')} (or cloud_a, cloud_b, cloud_c)`)
  .meta({ id: 'ProviderSpelling' });

/** An entry in the answer of GET /api/cost-estimator. */
const catalogEntryView = z
  .object({
    provider: z.enum(PROVIDERS).meta({ id: 'Provider' }),
    category,
    service: z.string(),
    instance: z.string(),
    specs: z.string(),
    priceUnit: z.string(),
    priceUsd: usd('US dollars per `priceUnit`.'),
    region: z.string(),
  })
  .meta({ id: 'CatalogEntry' });

/** The answer of GET /api/cost-estimator. */
export const catalogView = z
  .object({ count: z.int().min(0), services: z.array(catalogEntryView) })
  .meta({ id: 'Catalog' });

const offerPart = z
  .object({ service: z.string(), instance: z.string(), quantity: z.number().min(0) })
  .meta({ id: 'OfferPart' });
const offerView = z
  .object({
    parts: z
      .array(offerPart)
      .min(1)
      .meta({ description: 'What one unit of the entry needs, in units of each part; usually one of one.' }),
  })
  .meta({ id: 'Offer' });
const comparableView = z
  .object({
    provider: z.enum(PROVIDERS),
    offers: z.array(offerView).meta({ description: 'The usual one first. Empty if none is comparable.' }),
    reason: z.string().meta({ description: 'What all of them are, or why there is no equivalent.' }),
  })
  .meta({ id: 'Comparable' });
const equivalentView = z
  .object({
    provider: z.enum(PROVIDERS),
    service: z.string(),
    instance: z.string(),
    others: z.array(comparableView),
  })
  .meta({ id: 'Equivalents' });

/** The answer of GET /api/cost-estimator/equivalents. */
export const equivalentsView = z
  .object({ count: z.int().min(0), equivalents: z.array(equivalentView) })
  .meta({ id: 'EquivalentsList' });

/** Ignores capitals and surrounding spaces. */
const asKey = (value: unknown): unknown => (typeof value === 'string' ? keyOf(value) : value);

/** Filters of all lists. */
export const catalogQuery = z.strictObject({
  provider: z
    .preprocess(asKey, providerSpelling)
    .transform((spelling) => providerOf(spelling)!)
    .optional()
    .meta({ description: 'Only entries of this provider.' }),
  category: z.preprocess(asKey, category).optional().meta({ description: 'Only entries of this category.' }),
});

/** The requested entries; an absent filter means all. */
export type CatalogFilter = z.output<typeof catalogQuery>;

/** The body of POST /api/cost-estimator in the OpenAPI document; `estimateCost` checks it. */
export const estimateRequest = z
  .strictObject({
    items: z
      .array(
        z
          .looseObject({
            provider: providerSpelling.meta({ description: 'In any capitals.' }),
            service: z.string().meta({ description: 'As in the catalog, in any capitals.' }),
            instance: z
              .string()
              .optional()
              .meta({ description: 'As in the catalog; if absent, the first one of the service.' }),
            quantity: z
              .number()
              .min(0)
              .max(MAX_QUANTITY)
              .meta({
                description:
                  'Instances or units. For prices per million, 100K, 10K or 1K it counts these blocks: 2.5 of ' +
                  '`per million requests` is 2.5 million requests.',
              }),
            hoursPerMonth: z
              .number()
              .min(0)
              .max(USAGE_FIELDS.hoursPerMonth.most)
              .optional()
              .meta({ description: 'Used by prices per hour, vCPU-hour and GB-hour; 730 by default.' }),
            gbPerMonth: z
              .number()
              .min(0)
              .max(USAGE_FIELDS.gbPerMonth.most)
              .optional()
              .meta({ description: 'GB of each of `quantity`, for prices per GB; 1 by default.' }),
          })
          .meta({ id: 'EstimateItem' }),
      )
      .min(1)
      .max(MAX_ITEMS),
  })
  .meta({ id: 'EstimateRequest' });

/** The answer of POST /api/cost-estimator. */
export const estimateView = z
  .object({
    totalMonthlyUsd: usd('Sum of the exact lines, rounded half up to cents.'),
    totalAnnualUsd: usd('Twelve times totalMonthlyUsd.'),
    breakdown: z.array(
      z
        .object({
          provider: z.string(),
          service: z.string(),
          instance: z.string(),
          quantity: z.number(),
          unitPrice: usd('US dollars per `priceUnit`.'),
          priceUnit: z.string(),
          monthlyUsd: usd('Rounded half up to cents.'),
        })
        .meta({ id: 'EstimateLine' }),
    ),
    generatedAt: z.iso.datetime(),
    warnings: z
      .array(
        z
          .object({
            code: z.string().meta({
              description: `Stable; a release may add some. ${ESTIMATE_WARNING_CODES.map((code) => `\`${code}\``).join(', ')}.`,
            }),
            path: z.string().meta({ description: 'Such as `items[2].hoursPerMonth`.' }),
            message: z
              .string()
              .meta({ description: 'What happened and what to send instead, to read after the path.' }),
          })
          .meta({ id: 'EstimateWarning' }),
      )
      .min(1)
      .max(MAX_WARNINGS)
      .optional()
      .meta({ description: 'What was ignored or is doubtful. Absent if there is nothing to say.' }),
  })
  .meta({ id: 'Estimate' });

"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.estimateView = exports.estimateRequest = exports.catalogQuery = exports.catalogView = exports.catalogRowSchema = exports.ESTIMATOR_OPERATIONS = exports.ESTIMATOR_PATH = void 0;
const zod_1 = require("zod");
const catalog_1 = require("../domain/catalog");
const cost_estimate_1 = require("../domain/cost-estimate");
const estimate_item_1 = require("../domain/estimate-item");
const price_unit_1 = require("../domain/price-unit");
/** Path of the cost estimator. Its limits apply to everything below it. */
exports.ESTIMATOR_PATH = '/api/cost-estimator';
/** Ids of its operations, in the OpenAPI document and in the log of usage, by method. */
exports.ESTIMATOR_OPERATIONS = { GET: 'getCatalog', POST: 'estimateCost' };
/** Bounds of a row's texts. */
const text = (most) => zod_1.z
    .string('must be a text')
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    .regex(/^(?!\s)[^\p{C}]*(?<!\s)$/u, 'must not begin or end with a space, and have no control characters');
const note = zod_1.z.string('must be a text').max(500, 'must have at most 500 characters').default('');
/** Largest price of a row. */
const MAX_PRICE_USD = 1_000_000;
/** A row of a catalog file. */
exports.catalogRowSchema = zod_1.z.strictObject({
    provider: zod_1.z.enum(catalog_1.PROVIDERS, `must be one of ${catalog_1.PROVIDERS.join(', ')}`),
    category: zod_1.z.enum(catalog_1.CATEGORIES, `must be one of ${catalog_1.CATEGORIES.join(', ')}`),
    service: text(40),
    instance: text(60),
    specs: text(100),
    priceUnit: zod_1.z.string('must be a text').refine((unit) => (0, price_unit_1.formOfPriceUnit)(unit) !== undefined, {
        message: 'must be a unit that can be calculated with, such as "per hour", "per GB/month" or "per million requests"',
    }),
    priceUsd: zod_1.z
        .number('must be a number')
        .min(0, 'must not be negative')
        .max(MAX_PRICE_USD, `must be at most ${MAX_PRICE_USD}`),
    region: text(40),
    source: note,
    sourceDate: zod_1.z
        .string('must be a text')
        .regex(/^(\d{4}(-\d\d(-\d\d)?)?|undated|)$/, 'must be a date such as 2026-07-20, or "undated"')
        .default(''),
    note,
    grade: zod_1.z.enum(['A', 'B', 'C', ''], 'must be A, B or C').default(''),
});
const usd = (description) => zod_1.z.number().min(0).meta({ description });
const category = zod_1.z.enum(catalog_1.CATEGORIES).meta({ id: 'Category' });
const providerSpelling = zod_1.z.enum(catalog_1.PROVIDER_SPELLINGS).meta({ id: 'ProviderSpelling' });
/** An entry as GET /api/cost-estimator answers it. */
const catalogEntryView = zod_1.z
    .object({
    provider: zod_1.z.enum(catalog_1.PROVIDERS).meta({ id: 'Provider' }),
    category,
    service: zod_1.z.string(),
    instance: zod_1.z.string(),
    specs: zod_1.z.string(),
    priceUnit: zod_1.z.string(),
    priceUsd: usd('US dollars per `priceUnit`.'),
    region: zod_1.z.string(),
})
    .meta({ id: 'CatalogEntry' });
/** The answer of GET /api/cost-estimator. */
exports.catalogView = zod_1.z
    .object({ count: zod_1.z.int().min(0), services: zod_1.z.array(catalogEntryView) })
    .meta({ id: 'Catalog' });
/** The filters as the document shows them; `readCatalogFilter` reads them, in any capitals. */
exports.catalogQuery = zod_1.z.object({
    provider: providerSpelling.optional().meta({ description: 'Only entries of this provider.' }),
    category: category.optional().meta({ description: 'Only entries of this category.' }),
});
/** The body of POST /api/cost-estimator as the document shows it; `estimateCost` checks it. */
exports.estimateRequest = zod_1.z
    .strictObject({
    items: zod_1.z
        .array(zod_1.z
        .looseObject({
        provider: providerSpelling.meta({ description: 'In any capitals.' }),
        service: zod_1.z.string().meta({ description: 'As in the catalog, in any capitals.' }),
        instance: zod_1.z
            .string()
            .optional()
            .meta({ description: 'As in the catalog; left out, the first of the service.' }),
        quantity: zod_1.z
            .number()
            .min(0)
            .max(estimate_item_1.MAX_QUANTITY)
            .meta({
            description: 'Instances or units. For prices per million, 100K, 10K or 1K it counts these blocks: 2.5 of ' +
                '`per million requests` is 2.5 million requests.',
        }),
        hoursPerMonth: zod_1.z
            .number()
            .min(0)
            .max(price_unit_1.USAGE_FIELDS.hoursPerMonth.most)
            .optional()
            .meta({ description: 'Used by prices per hour, vCPU-hour and GB-hour; 730 when left out.' }),
        gbPerMonth: zod_1.z
            .number()
            .min(0)
            .max(price_unit_1.USAGE_FIELDS.gbPerMonth.most)
            .optional()
            .meta({ description: 'GB of each of `quantity`, for prices per GB; 1 when left out.' }),
    })
        .meta({ id: 'EstimateItem' }))
        .min(1)
        .max(cost_estimate_1.MAX_ITEMS),
})
    .meta({ id: 'EstimateRequest' });
/** The answer of POST /api/cost-estimator. */
exports.estimateView = zod_1.z
    .object({
    totalMonthlyUsd: usd('Sum of the exact lines, rounded half up to cents.'),
    totalAnnualUsd: usd('Twelve times totalMonthlyUsd.'),
    breakdown: zod_1.z.array(zod_1.z
        .object({
        provider: zod_1.z.string(),
        service: zod_1.z.string(),
        instance: zod_1.z.string(),
        quantity: zod_1.z.number(),
        unitPrice: usd('US dollars per `priceUnit`.'),
        priceUnit: zod_1.z.string(),
        monthlyUsd: usd('Rounded half up to cents.'),
    })
        .meta({ id: 'EstimateLine' })),
    generatedAt: zod_1.z.iso.datetime(),
})
    .meta({ id: 'Estimate' });
//# sourceMappingURL=schema.js.map
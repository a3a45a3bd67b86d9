import { createHash } from 'node:crypto';
import Big from 'big.js';
import { PROVIDERS, type CatalogEntry, type CatalogIndex } from '../domain/catalog';
import { comparableWith, type Offer } from '../domain/comparable-offers';
import type { EstimateLine, PricedEstimate } from '../domain/cost-estimate';
import type { EstimateWarning } from '../domain/estimate-warnings';
import type { LoadedCatalog } from './current-catalog';
import type { CatalogFilter } from './schema';

/** A complete answer, made once and sent many times. */
export interface CatalogAnswer {
  readonly body: Buffer;
  /** Strong: the same bytes have the same tag, in every process. */
  readonly etag: string;
}

/** Presents entries as the text of an answer. */
type PresentEntries = (entries: readonly CatalogEntry[], catalog: LoadedCatalog) => string;

const answersOf = new WeakMap<LoadedCatalog, Map<string, CatalogAnswer>>();

/** The answer of GET /api/cost-estimator, in the catalog's order; made once for each catalog and filter. */
export function presentCatalog(catalog: LoadedCatalog, filter: CatalogFilter): CatalogAnswer {
  const present: PresentEntries = (entries) =>
    `{"count":${entries.length},"services":[${entries.map(presentEntry).join(',')}]}`;
  return answerOnce(catalog, 'catalog', filter, present);
}

/** The answer of GET /api/cost-estimator/equivalents, in the same order; made once for each catalog and filter. */
export function presentEquivalents(catalog: LoadedCatalog, filter: CatalogFilter): CatalogAnswer {
  return answerOnce(catalog, 'equivalents', filter, (entries, { index }) =>
    JSON.stringify({ count: entries.length, equivalents: entries.map((entry) => equivalentsOf(index, entry)) }),
  );
}

/** The answer of GET /api/cost-estimator/sources, in the same order; made once for each catalog and filter. */
export function presentSources(catalog: LoadedCatalog, filter: CatalogFilter): CatalogAnswer {
  return answerOnce(catalog, 'sources', filter, (entries, { sources }) =>
    JSON.stringify({ count: entries.length, sources: entries.map((entry) => sources.get(entry)) }),
  );
}

function equivalentsOf(index: CatalogIndex, { provider, service, instance }: CatalogEntry): object {
  const priced = index.findService(provider, service)!.find(instance)!;
  const others = PROVIDERS.filter((other) => other !== provider).map((other) => {
    const { offers, reason } = comparableWith(index, priced, other);
    return { provider: other, offers: offers.map(presentOffer), reason };
  });
  return { provider, service, instance, others };
}

function presentOffer({ parts }: Offer): object {
  return {
    parts: parts.map(({ priced: { entry }, quantity }) => ({
      service: entry.service,
      instance: entry.instance,
      quantity,
    })),
  };
}

function answerOnce(
  catalog: LoadedCatalog,
  kind: string,
  { provider, category }: CatalogFilter,
  present: PresentEntries,
): CatalogAnswer {
  let answers = answersOf.get(catalog);
  if (!answers) {
    answers = new Map();
    answersOf.set(catalog, answers);
  }
  const key = `${kind} ${provider ?? ''} ${category ?? ''}`;
  let answer = answers.get(key);
  if (!answer) {
    const entries = catalog.entries.filter(
      (entry) =>
        (provider === undefined || entry.provider === provider) &&
        (category === undefined || entry.category === category),
    );
    answer = answerOf(present(entries, catalog));
    answers.set(key, answer);
  }
  return answer;
}

function answerOf(text: string): CatalogAnswer {
  const body = Buffer.from(text);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}

function presentEntry({
  provider,
  category,
  service,
  instance,
  specs,
  priceUnit,
  priceUsd,
  region,
}: CatalogEntry): string {
  const before = JSON.stringify({ provider, category, service, instance, specs, priceUnit });
  return `${before.slice(0, -1)},"priceUsd":${decimalText(priceUsd)},"region":${JSON.stringify(region)}}`;
}

/** Up to here a yearly sum has at most 15 digits, which a JavaScript number holds exactly; above, it is a decimal. */
const EXACT_YEAR_USD = 800_000_000_000;

/** The answer of POST /api/cost-estimator, as JSON text. `warnings` is only there if there are some. */
export function presentEstimate(
  { estimate, priced, warnings = [] }: PricedEstimate & { readonly warnings?: readonly EstimateWarning[] },
  generatedAt: Date,
): string {
  const { totalMonthlyUsd, totalAnnualUsd, breakdown } = estimate;
  const annual = totalMonthlyUsd < EXACT_YEAR_USD ? totalAnnualUsd : Big(totalMonthlyUsd).times(12).toFixed();
  const warned = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  let lines = '';
  for (const [at, line] of breakdown.entries()) lines += (at === 0 ? '' : ',') + presentLine(line, priced[at]!.entry);
  return `{"totalMonthlyUsd":${totalMonthlyUsd},"totalAnnualUsd":${annual},"breakdown":[${lines}],"generatedAt":"${generatedAt.toISOString()}"${warned}}`;
}

/** The parts of a line that come from the catalog, made once: this saves two thirds of the time for a line. */
interface LineText {
  readonly names: string;
  readonly price: string;
}

const lineTexts = new WeakMap<CatalogEntry, LineText>();

function presentLine(line: EstimateLine, entry: CatalogEntry): string {
  let text = lineTexts.get(entry);
  if (!text) {
    const price = `"unitPrice":${decimalText(entry.priceUsd)},"priceUnit":${JSON.stringify(entry.priceUnit)}`;
    text = { names: namesText(entry), price };
    lineTexts.set(entry, text);
  }
  const isSpeltAlike =
    line.provider === entry.provider && line.service === entry.service && line.instance === entry.instance;
  const names = isSpeltAlike ? text.names : namesText(line);
  return `{${names},"quantity":${decimalText(line.quantity)},${text.price},"monthlyUsd":${line.monthlyUsd}}`;
}

function namesText({ provider, service, instance }: Pick<EstimateLine, 'provider' | 'service' | 'instance'>): string {
  return `"provider":${JSON.stringify(provider)},"service":${JSON.stringify(service)},"instance":${JSON.stringify(instance)}`;
}

/** A number as JSON without an exponent, which JavaScript would use below a millionth. */
function decimalText(number: number): string {
  return number !== 0 && number < 1e-6 ? Big(number).toFixed() : String(number);
}

import { z } from 'zod';
import { PROVIDERS } from '../domain/catalog';

const priceSourceView = z
  .object({
    provider: z.enum(PROVIDERS),
    service: z.string(),
    instance: z.string(),
    source: z.string().meta({
      description: 'A page, or repository:file:line. Empty if the operator who imported the price gave none.',
    }),
    sourceDate: z.string().meta({ description: '`2026`, `2026-07`, `2026-07-20`, `undated`, or empty.' }),
    note: z.string().meta({ description: 'How the price follows from the source; may be empty.' }),
    grade: z.string().meta({
      description: 'A: a named public repository or an official page. B: a named third party. C: weaker. May be empty.',
    }),
  })
  .meta({ id: 'PriceSource' });

/** The answer of GET /api/cost-estimator/sources. */
export const sourcesView = z
  .object({ count: z.int().min(0), sources: z.array(priceSourceView) })
  .meta({ id: 'PriceSourceList' });

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCatalog } from './parse-catalog';
import { catalogOf, type Catalog } from './catalog-store';

/** Grows with every change of `catalog.csv`, so that of two versions of Everpost the newer one's prices stay. */
const BUILT_IN_VERSION = 2;

/** The catalog that comes with this version of Everpost. */
export function readBuiltInCatalog(): Catalog {
  const rows = parseCatalog(readFileSync(join(__dirname, 'catalog.csv'), 'utf8'));
  return catalogOf(rows, { source: 'built-in', version: BUILT_IN_VERSION });
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alwaysIn, type Fault, skipped } from '../fault';
import { endEverything, killEverything } from './everything-killed';
import { PATIENCE_MS } from './temporal-wiped';

/** Each delivery needs Temporal, which may have lost its last writes. */
const REFUSED = 1;

export const smallPowerCut: Fault = {
  name: 'small-power-cut',
  testbed: 'small',
  title: 'small profile: the machine loses its power in mid-write; whatever was not synced to the disk is gone',
  criterion: 'all goes on: 0 acknowledged lost; repeated POSTs ≤ attempts in flight at the cut',
  ways: alwaysIn('express'),
  nightly: 'everything-killed, and what MongoDB promises of its journal',
  async run(testbed, counts) {
    const { disk } = testbed.cluster;
    if (disk.unavailable !== undefined) return skipped(disk.unavailable);
    const witness = join(testbed.cluster.folder, 'var', 'witness');
    return endEverything(testbed, counts, {
      name: 'small-power-cut',
      async end() {
        await writeFile(witness, 'not synced');
        await disk.cutPower();
        await killEverything(testbed.cluster);
        await disk.powerOn();
        // Its name may be there: MongoDB's own syncs write the names of all files.
        const left = await readFile(witness, 'utf8').catch(() => '');
        if (left !== '') throw new Error('the cut lost nothing: what was not synced is still there');
      },
      endpoints: [{ failFirst: REFUSED }, { failFirst: REFUSED }],
      refused: REFUSED,
      settleMs: PATIENCE_MS,
    });
  },
};

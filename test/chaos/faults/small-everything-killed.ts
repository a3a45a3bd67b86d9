import { alwaysIn, type Fault } from '../fault';
import { endEverything, killEverything } from './everything-killed';

export const smallEverythingKilled: Fault = {
  name: 'small-everything-killed',
  testbed: 'small',
  title: 'small profile: kill -9 of all three processes at once in load; all restarted',
  criterion: 'all goes on: 0 acknowledged lost; repeated POSTs ≤ attempts in flight at the kill',
  ways: alwaysIn('express'),
  nightly: 'everything-killed, and the units themselves: test/breakage/small-profile',
  run: (testbed, counts) =>
    endEverything(testbed, counts, { name: 'small-everything-killed', end: () => killEverything(testbed.cluster) }),
};

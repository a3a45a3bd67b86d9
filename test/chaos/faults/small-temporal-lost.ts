import { alwaysIn, type Fault } from '../fault';
import { wipeTemporal } from './temporal-wiped';

export const smallTemporalLost: Fault = {
  name: 'small-temporal-lost',
  testbed: 'small',
  title: "small profile: Temporal's database is deleted in load",
  criterion: '0 acknowledged lost; every unfinished delivery goes on from its recorded attempt',
  ways: alwaysIn('express'),
  nightly: 'temporal-wiped, and the units themselves: test/breakage/small-profile',
  run: (testbed, counts) => wipeTemporal(testbed, counts, { name: 'small-temporal-lost', inLoad: true }),
};

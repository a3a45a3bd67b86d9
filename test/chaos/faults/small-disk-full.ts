import { alwaysIn, type Fault } from '../fault';
import { fillDisk } from './disk-full-mongodb';

export const smallDiskFull: Fault = {
  name: 'small-disk-full',
  testbed: 'small',
  title: 'small profile: the one disk of MongoDB and Temporal is full, in load',
  criterion: '503 with Retry-After, no false 202, recovery after space returns',
  ways: alwaysIn('express'),
  nightly: 'disk-full-mongodb',
  run: (testbed) => fillDisk(testbed, { name: 'small-disk-full', disk: testbed.cluster.disk }),
};

import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { isMongoUnavailable } from '../../src/platform/mongo-unavailable';

const serverError = (code: number, errmsg: string, errorLabels: string[] = []) =>
  new MongoServerError({ ok: 0, code, errmsg, errorLabels });

// As mongod writes them.
it.each([
  [8, '28: No space left on device'],
  [8, 'Could not rename file: 30: Read-only file system'],
  [14_031, 'available disk space of 10 bytes is less than required minimum of 500'],
  [264, '24: Too many open files'],
  [8_000, 'you are over your space quota, using 513 MB of 512 MB'],
  [64, 'waiting for replication timed out'],
  [100, 'Not enough data-bearing nodes'],
  [50, 'operation exceeded time limit'],
  [262, 'operation exceeded time limit'],
  [24, 'Unable to acquire IX lock'],
  [91, 'The server is in quiesce mode and will shut down'],
  [189, 'Primary stepped down while waiting for replication'],
  [10_107, 'not primary'],
  [11_600, 'interrupted at shutdown'],
  [11_601, 'operation was interrupted'],
  [11_602, 'operation was interrupted because this node is stepping down'],
  [43, 'cursor id 1 not found'],
  [112, 'WriteConflict error'],
  [365, 'Unable to write to collection due to cache pressure'],
  [433, 'admission queue overflow'],
  [371, 'User writes blocked'],
  [18, 'Authentication failed.'],
])('the error %i (%s) means that MongoDB is unavailable', (code, errmsg) => {
  expect(isMongoUnavailable(serverError(code, errmsg))).toBe(true);
});

it.each(['RetryableWriteError', 'SystemOverloadedError', 'RetryableError', 'TransientTransactionError'])(
  'so does the label %s, whatever the code is',
  (label) => {
    expect(isMongoUnavailable(serverError(1, 'it failed', [label]))).toBe(true);
  },
);

it.each([
  [11_000, 'E11000 duplicate key error'],
  [2, 'hint provided does not correspond to an existing index'],
  [13, 'not authorized on everpost to execute command'],
  [26, 'ns does not exist'],
  [121, 'Document failed validation'],
  [10_334, 'BSONObj size is invalid'],
])('the error %i (%s) does not: another try would fail in the same way', (code, errmsg) => {
  expect(isMongoUnavailable(serverError(code, errmsg))).toBe(false);
});

it('of several writes at once, one that found the disk full is enough', () => {
  const failed = (index: number, code: number) => ({ index, code, errmsg: 'it failed' });
  const bulk = (codes: number[]) =>
    Object.assign(
      new MongoBulkWriteError({ message: 'it failed', code: codes[0]!, writeErrors: [] as never }, {
        getWriteConcernError: () => undefined,
      } as never),
      { writeErrors: codes.map((code, index) => failed(index, code)) },
    );

  expect(isMongoUnavailable(bulk([11_000, 8]))).toBe(true);
  expect(isMongoUnavailable(bulk([11_000, 11_000]))).toBe(false);
});

import { mendDeadSockets } from '../../src/platform/mongo-sockets';

it.each<[string, () => unknown]>([
  [
    'has moved its file',
    () => {
      throw new Error('Package subpath is not defined by "exports"');
    },
  ],
  ['has renamed its class', () => ({})],
  [
    'has renamed its method',
    () => ({
      Connection: class {
        send = () => undefined;
      },
    }),
  ],
])('a driver that %s is used as it is, and the process starts', (_what, load) => {
  expect(mendDeadSockets(undefined, load)).toBe(false);
});

it('the log says so, once', () => {
  const lines: unknown[] = [];
  const logger = { warn: (line: unknown) => void lines.push(line) };

  for (let starts = 0; starts < 2; starts += 1) expect(mendDeadSockets(logger as never, () => ({}))).toBe(false);

  expect(lines).toEqual([expect.stringContaining('a call may hang when MongoDB goes away')]);
});

it('the driver that we use is mended', () => {
  expect(mendDeadSockets()).toBe(true);
});

import { createLanes } from '../../src/platform/lanes';

const OPTIONS = { maxWaiting: 2, freeMs: 20, rests: 1 };

/** Work that ends when it is told to. */
function buildWork() {
  const begun: string[] = [];
  const ends = new Map<string, (tookMs: number) => void>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<{ value: string; tookMs: number }>((resolve) => {
        ends.set(name, (tookMs) => resolve({ value: name, tookMs }));
      });
    },
    end: (name: string, tookMs = 0) => ends.get(name)!(tookMs),
  };
}

it('begins the work of one name in order, one after the other, and that of others at once', async () => {
  const { begun, work, end } = buildWork();
  const lanes = createLanes(OPTIONS);
  const first = lanes.run('one', work('1a'));
  const second = lanes.run('one', work('1b'));
  void lanes.run('two', work('2a'));
  expect(begun).toEqual(['1a', '2a']);

  end('1a');
  await expect(first).resolves.toBe('1a');
  expect(begun).toEqual(['1a', '2a', '1b']);
  end('1b');
  await expect(second).resolves.toBe('1b');
});

it('refuses work of a name of which as much waits as may, and takes it again later', async () => {
  const { work, end } = buildWork();
  const lanes = createLanes(OPTIONS);
  const taken = ['a', 'b', 'c'].map((name) => lanes.run('one', work(name)));
  await expect(lanes.run('one', work('d'))).resolves.toBeUndefined();

  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    end(name);
    await expect(taken[index]).resolves.toBe(name);
  }
  const later = lanes.run('one', work('e'));
  end('e');
  await expect(later).resolves.toBe('e');
});

it('lets the name rest after work that took long, and goes on by itself', async () => {
  const { begun, work, end } = buildWork();
  const lanes = createLanes(OPTIONS);
  const first = lanes.run('one', work('a'));
  const second = lanes.run('one', work('b'));
  end('a', 25);
  await first;
  await new Promise(setImmediate);
  expect(begun).toEqual(['a']);

  while (begun.length < 2) await new Promise(setImmediate);
  end('b');
  await expect(second).resolves.toBe('b');
});

it('goes on after work that failed', async () => {
  const { work, end } = buildWork();
  const lanes = createLanes(OPTIONS);
  const failing = lanes.run('one', () => Promise.reject(new Error('broken')));
  const second = lanes.run('one', work('b'));
  await expect(failing).rejects.toThrow('broken');
  end('b');
  await expect(second).resolves.toBe('b');
});

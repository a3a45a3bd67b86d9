import { daysOfWindow, spansOfWindow } from '../../src/domain/health-windows';

const NOW = new Date('2026-11-28T21:30:00Z');

it('a month has each of its hours on one day of the time zone', () => {
  const days = daysOfWindow(NOW, '30d', 'Europe/Berlin');
  expect(days.flat()).toEqual(spansOfWindow(NOW, '30d'));
  expect(days).toHaveLength(31);
  // Berlin is an hour ahead of UTC.
  expect(days.at(-1)![0]).toEqual(new Date('2026-11-27T23:00:00Z'));
});

it('a day has 25 hours when clocks are set back, and 23 when they are set forward', () => {
  const lengthsBefore = (now: string) => daysOfWindow(new Date(now), '7d', 'Europe/Berlin').map(({ length }) => length);
  expect(lengthsBefore('2026-10-28T12:00:00Z').slice(1, -1)).toEqual([24, 24, 24, 25, 24, 24]);
  expect(lengthsBefore('2026-04-01T12:00:00Z').slice(1, -1)).toEqual([24, 24, 24, 23, 24, 24]);
});

it('where clocks differ by half an hour, a day begins with the first hour that starts in it', () => {
  const days = daysOfWindow(NOW, '30d', 'Asia/Kolkata');
  expect(days.at(-1)![0]).toEqual(new Date('2026-11-28T19:00:00Z'));
});

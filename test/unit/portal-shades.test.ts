import fc from 'fast-check';
import { contrast, rgbOf, shadesOf } from '../../dashboard/src/portal/shades';

const WHITE = [255, 255, 255] as const;

it('makes links and buttons legible in both schemes, whatever the colour of the brand is', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
  const color = fc.tuple(channel, channel, channel).map((channels) => `#${channels.join('')}`);
  fc.assert(
    fc.property(color, (brand) => {
      const shades = shadesOf(brand);
      expect(shades).toHaveLength(10);
      expect(contrast(rgbOf(shades[7]), WHITE)).toBeGreaterThan(4.5);
      expect(contrast(rgbOf(shades[3]), rgbOf('#1f2733'))).toBeGreaterThan(4.5);
    }),
  );
});

it('keeps a colour that is legible as it is', () => {
  expect(shadesOf('#6d28d9')[7]).toBe('#6d28d9');
});

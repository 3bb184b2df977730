import { expect, it } from 'vitest';
import { layoutFor, transformOf } from '../../../web/src/map/map_geometry.ts';
import { createMapMotion } from '../../../web/src/map/map_motion.ts';

const layout = layoutFor({ width: 1000, height: 640 });
const from = transformOf(0, 65536);
const to = transformOf(0x10000, 4096);

it('a journey goes from one transform to the other and ends', () => {
  const motion = createMapMotion();
  motion.travel(from, to, 1000, false);
  expect(motion.place(1000, layout)).toBe(from);
  const under = motion.place(1100, layout);
  expect(under?.bytesPerRow).toBeGreaterThan(4096);
  expect(under?.bytesPerRow).toBeLessThan(65536);
  expect(motion.target()).toBe(to);
  expect(motion.place(1250, layout)).toBe(to);
  expect(motion.target()).toBeUndefined();
  expect(motion.place(1300, layout)).toBeUndefined();
});

it('without motion the end is reached at once', () => {
  const motion = createMapMotion();
  motion.travel(from, to, 1000, true);
  expect(motion.place(1000, layout)).toBe(to);
});

it('a step shows its changes for 150 to 250 ms', () => {
  const motion = createMapMotion();
  expect(motion.change(0)).toBeUndefined();
  motion.startChange(1000);
  expect(motion.change(1000)).toBe(0);
  expect(motion.change(1149)).toBeGreaterThan(0);
  expect(motion.change(1149)).toBeLessThan(1);
  expect(motion.change(1250)).toBeUndefined();
});

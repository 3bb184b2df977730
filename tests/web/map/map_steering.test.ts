import { expect, it } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import type { MapPlace } from '../../../web/src/map/heap_map_options.ts';
import { addressAt } from '../../../web/src/map/map_geometry.ts';
import { createMapMotion } from '../../../web/src/map/map_motion.ts';
import { createSteering } from '../../../web/src/map/map_steering.ts';

const kLater = 1e12; // all journeys have ended by then

function steer(span = { from: 0x20000, to: 0x60000 }) {
  const heap = { ...span, memory: 0x100000, born: true };
  const places: (MapPlace | undefined)[] = [];
  const zooms: number[] = [];
  const steering = createSteering(
    {
      changed: () => {},
      heading: (bytesPerRow) => zooms.push(bytesPerRow),
      rested: (place) => places.push(place),
      memoryBytes: () => heap.memory,
      heapSpan: () => (heap.born ? heap : undefined),
      still: () => true,
    },
    createMapMotion(),
  );
  steering.resize({ width: 1000, height: 640 });
  return { steering, heap, places, zooms };
}

it('shows all of the heap by itself, and follows its growth', () => {
  const { steering, heap } = steer();
  const before = steering.transform();
  expect(before.origin).toBeLessThanOrEqual(heap.from);
  heap.to *= 4;
  heap.memory *= 4;
  steering.follow(true);
  steering.advance(kLater);
  expect(steering.transform().bytesPerRow).toBeGreaterThan(before.bytesPerRow);
});

it('rows are high where all of the heap leaves a third of the map empty, and keep their height when the visitor moves', () => {
  const { steering, heap } = steer({ from: 0x20000, to: 0x70000 });
  const high = steering.layout().pitch;
  const rows = (heap.to - heap.from) / steering.transform().bytesPerRow;
  steering.gesture(400, 300, 0, 0, 0.5);
  steering.gestureEnded();
  expect(steering.layout().pitch).toBe(high);
  steering.setPlace({ origin: addr(0x30000), bytesPerRow: bytes(0x1000) }); // of a link
  expect(steering.layout().pitch).toBe(high / 1.5);
  heap.to = heap.from + (heap.to - heap.from) * 1.8; // the same zoom, nearly all rows
  steering.showAll();
  const usual = steering.layout().pitch;
  expect(high).toBe(usual * 1.5);
  expect((rows + 1) * high).toBeLessThanOrEqual(640);
});

it('goes to a heap that is born where only memory was, however near its size is to what was shown', () => {
  const { steering, heap } = steer({ from: 0x80000, to: 0xd8000 });
  const found = steering.transform();
  heap.born = false;
  steering.follow(false);
  steering.follow(false); // the same once more: still nothing to keep
  expect(steering.transform().origin).toBe(0);
  heap.born = true;
  steering.follow(false);
  expect(steering.transform()).toEqual(found);
});

it('stays where the visitor moved it, however the heap grows', () => {
  const { steering, heap } = steer();
  steering.gesture(400, 300, 0, -34, 1);
  steering.gestureEnded();
  const moved = steering.transform();
  heap.to *= 4;
  heap.memory *= 4;
  steering.follow(true);
  steering.advance(kLater);
  expect(steering.transform()).toEqual(moved);
});

it('goes away from the place where the visitor left it only while there is less memory', () => {
  const { steering, heap, places } = steer();
  steering.reveal(0x50000, 0x10);
  steering.advance(kLater);
  const left = steering.transform();
  const told = places.length;
  heap.memory = heap.to = 0x30000; // an earlier moment
  steering.follow(false);
  expect(steering.transform().origin).toBeLessThan(0x30000);
  heap.memory = 0x100000;
  heap.to = 0x60000;
  steering.follow(false);
  expect(steering.transform()).toEqual(left);
  expect(places.length).toBe(told);
});

it('a wheel comes to rest at a power of two, what was under the pointer still in its row, and tells the place once', () => {
  const { steering, places } = steer();
  const at = addressAt(steering.layout(), steering.transform(), 400, 300);
  for (let notch = 0; notch < 3; notch++) steering.gesture(400, 300, 0, 0, 0.8);
  expect(places).toEqual([]);
  steering.gestureEnded();
  steering.advance(kLater);
  expect(Math.log2(steering.transform().bytesPerRow) % 1).toBe(0);
  const { origin, bytesPerRow } = steering.transform();
  expect(origin % bytesPerRow).toBe(0);
  const { top, pitch } = steering.layout();
  expect(Math.floor((at - origin) / bytesPerRow)).toBe(Math.floor((300 - top) / pitch));
  expect(places).toHaveLength(1);
  expect(places[0]?.bytesPerRow).toBe(steering.transform().bytesPerRow);
});

it('the late end of a wheel takes nothing back: neither all of the heap nor a journey', () => {
  const { steering } = steer();
  const all = steering.transform();
  steering.gesture(400, 300, 0, 0, 0.3);
  steering.showAll();
  steering.gestureEnded();
  steering.advance(kLater);
  expect(steering.transform()).toEqual(all);
  steering.gesture(400, 300, 0, 0, 0.3);
  steering.goNear(0x30000, 64);
  const goal = steering.goal();
  steering.gestureEnded();
  steering.advance(kLater);
  expect(steering.transform()).toEqual(goal);
});

it('a place it told itself and gets back moves nothing', () => {
  const { steering, places } = steer();
  steering.gesture(400, 300, 0, 17, 1);
  steering.gestureEnded();
  const before = steering.transform();
  steering.setPlace(places[0]);
  steering.advance(kLater);
  expect(steering.transform()).toBe(before);
});

it('a place that the owner sets again ends the journey that leads away from it', () => {
  const { steering } = steer();
  const place = { origin: addr(0x30000), bytesPerRow: bytes(256) };
  steering.setPlace(place);
  steering.advance(kLater);
  steering.goNear(0x20000, 64);
  steering.setPlace({ ...place });
  steering.advance(kLater);
  expect(steering.transform()).toMatchObject(place);
});

it('goes to a place of the owner, and back to all of the heap', () => {
  const { steering } = steer();
  const all = steering.transform();
  steering.setPlace({ origin: addr(0x30000), bytesPerRow: bytes(256) });
  steering.advance(kLater);
  expect(steering.transform()).toMatchObject({ origin: 0x30000, bytesPerRow: 256 });
  steering.setPlace(undefined);
  steering.advance(kLater);
  expect(steering.transform()).toEqual(all);
});

it('reveals what is too small to see by going nearer, and what is in view not at all', () => {
  const { steering } = steer();
  steering.reveal(0x40000, 16);
  steering.advance(kLater);
  const { bytesPerRow } = steering.transform();
  expect((16 / bytesPerRow) * steering.layout().textWidth).toBeGreaterThan(20);
  const there = steering.transform();
  steering.reveal(0x40010, 64);
  steering.advance(kLater);
  expect(steering.transform()).toBe(there);
});

it('zooming by keys keeps the selected address in its row, and rows begin at multiples of their size', () => {
  const { steering } = steer();
  const { transform } = steering;
  const address = 0x41230;
  const row = (): number => Math.floor((address - transform().origin) / transform().bytesPerRow);
  const before = row();
  for (const factor of [0.5, 0.5, 0.5, 2]) {
    steering.zoomBy(factor, address);
    steering.advance(kLater);
    expect(row()).toBe(before);
    expect(Math.abs(transform().origin % transform().bytesPerRow)).toBe(0);
  }
});

it('drawn aside by hand, rows go back to multiples of their size', () => {
  const { steering } = steer();
  const { bytesPerRow } = steering.transform();
  steering.gesture(400, 300, 123, -40, 1);
  expect(steering.transform().origin % bytesPerRow).not.toBe(0);
  steering.gestureEnded();
  steering.advance(kLater);
  expect(steering.transform().origin % bytesPerRow).toBe(0);
});

it('does not go nearer for a little that was given back, but for much', () => {
  const { steering, heap } = steer({ from: 0x20000, to: 0x60000 });
  steering.follow(true);
  const before = steering.transform();
  heap.to = 0x40000;
  steering.follow(true);
  steering.advance(kLater);
  expect(steering.transform()).toBe(before);
  heap.to = 0x22000;
  steering.follow(true);
  steering.advance(kLater);
  expect(steering.transform().bytesPerRow).toBeLessThanOrEqual(before.bytesPerRow / 4);
});

it('tells every zoom it goes to by itself, so that a gesture never starts from an old one', () => {
  const { steering, heap, zooms } = steer();
  expect(zooms.at(-1)).toBe(steering.transform().bytesPerRow);
  heap.to *= 8;
  heap.memory *= 8;
  steering.follow(true);
  steering.advance(kLater);
  expect(zooms.at(-1)).toBe(steering.transform().bytesPerRow);
  steering.reveal(0x40000, 16);
  steering.advance(kLater);
  expect(zooms.at(-1)).toBe(steering.transform().bytesPerRow);
});

it('a place set beyond the memory there is yet is shown once there is that memory, and is not reported as another one', () => {
  const { steering, heap, places } = steer();
  const wanted = { origin: addr(0x180000), bytesPerRow: bytes(0x2000) };
  steering.setPlace(wanted);
  steering.advance(kLater);
  steering.follow(false);
  expect(steering.transform().origin).toBeLessThan(heap.memory);
  heap.memory *= 4;
  steering.follow(false);
  steering.advance(kLater);
  expect(steering.transform()).toMatchObject({ origin: 0x180000, bytesPerRow: 0x2000, shift: 0 });
  expect(places).toEqual([]);
});

it('shows what lies beside a range as far as the heap goes, and a range outside of the heap all the same', () => {
  const { steering, heap } = steer();
  const shown = (from: number, to: number, beside: number) => {
    steering.fit(from, to, beside);
    steering.advance(kLater);
    const { origin, bytesPerRow } = steering.transform();
    return { origin, bytesPerRow };
  };
  const all = shown(heap.from, heap.to, 0);
  expect(shown(heap.from, heap.to, 0x40000)).toEqual(all);
  expect(shown(0x30000, 0x30100, 0x80000)).toEqual(all);
  const near = shown(0x30000, 0x30100, 0x100);
  expect(near.bytesPerRow).toBeLessThan(all.bytesPerRow);
  expect(near.origin).toBeLessThanOrEqual(0x2ff00);
  expect(shown(0x80000, 0x80100, 0x1000).origin).toBeLessThanOrEqual(0x80000);
});

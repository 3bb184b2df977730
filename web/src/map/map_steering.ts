// Which part of memory the map shows, and how it gets elsewhere: gestures, keys and the owner's wishes all end here, as
// one transform.
//
//   V1  With no place set the map shows all of the heap and follows its growth; any movement by the visitor ends that.
//       It does not go nearer for every byte that is given back: only when the heap needs a quarter of the rows.
//   V2  A gesture moves the map at once; everything else travels, so that the eye can follow.
//   V3  At rest bytesPerRow is a power of two, and rows begin at multiples of it; then, and only then, the owner is told the
//       place. While a gesture lasts the address under the pointer stays there; the rest of the way is at most half a row.
//   V4  A place that the owner set may lie beyond the memory there is, while its source is still running: the map goes as near
//       to it as it can, and on to it as the memory grows, until the visitor moves it.
//   V5  Going nearer to a fold opens it (map_folds.ts); showing all of the heap folds it again.

import { addr, bytes } from '../base/brand.ts';
import type { MapPlace } from './heap_map_options.ts';
import { createMapFolds } from './map_folds.ts';
import {
  addressAt,
  clamp,
  fitRange,
  foldUnder,
  isFolded,
  layoutFor,
  type MapLayout,
  type MapTransform,
  panBy,
  placeRow,
  pointOf,
  rest,
  restingBytesPerRow,
  rowStart,
  scrollBy,
  scrollTo,
  transformOf,
  wholeRows,
  zoomAbout,
} from './map_geometry.ts';
import type { MapMotion } from './map_motion.ts';

/** Before the first frame nothing is known of the memory: some of it is shown. */
const kUnknownBytes = 4 * 1024 * 1024;
/** All of a heap is shown no nearer than this: its first blocks then fill rows instead of changing the zoom one by one. */
const kNearestAll = 64;
/** A thing narrower than this many CSS pixels is gone to, not only scrolled to; then it gets the second figure. */
const kTooNarrow = 6;
const kWideEnough = 48;

export interface SteeringHost {
  /** The transform has changed or a journey began: draw. */
  changed(): void;
  /** The map is, or will soon be, at this zoom: gestures go on from there. */
  heading(bytesPerRow: number): void;
  /** The map rests; undefined: it shows all of the heap. */
  rested(place: MapPlace | undefined): void;
  memoryBytes(): number | undefined;
  heapSpan(): { readonly from: number; readonly to: number } | undefined;
  /** No motion: the visitor's system says so. */
  still(): boolean;
}

export type Steering = ReturnType<typeof createSteering>;

export function createSteering(host: SteeringHost, motion: MapMotion) {
  let layout: MapLayout = layoutFor(800, 500);
  let transform: MapTransform = fitRange(layout, 0, kUnknownBytes);
  let following = true; // V1
  let exact = true; // the next frames may bring it nearer too: it has only begun to follow
  let reported: MapPlace | undefined;
  let linked: MapTransform | undefined; // V4
  let direction = 0; // of the last zoom: +1 outwards
  let pointer = { x: 0, y: 0 };

  /** Where the map is going, else where it is. */
  const goal = (): MapTransform => motion.target() ?? transform;
  const folds = createMapFolds((empty) => {
    layout = { ...layout, empty };
    host.changed();
  });
  const memoryBytes = (): number => host.memoryBytes() ?? kUnknownBytes;

  function travel(next: MapTransform): void {
    following = false;
    linked = undefined;
    go(next);
  }

  function go(next: MapTransform): void {
    const target = clamp(layout, next, memoryBytes());
    motion.travel(transform, target, performance.now(), host.still());
    host.heading(target.bytesPerRow);
    host.changed();
  }

  function rested(): void {
    if (linked !== undefined) return;
    const place: MapPlace | undefined = following
      ? undefined
      : { origin: addr(Math.max(Math.round(transform.origin / 4) * 4, 0)), bytesPerRow: bytes(transform.bytesPerRow) };
    if (samePlace(place, reported)) return;
    reported = place;
    host.rested(place);
  }

  function allOfTheHeap(): MapTransform {
    const span = host.heapSpan();
    return fitRange(layout, span?.from ?? 0, span?.to ?? memoryBytes(), kNearestAll);
  }

  function showAll(): void {
    following = true;
    linked = undefined;
    exact = true;
    folds.closeAll();
    go(allOfTheHeap());
  }

  /** V1, with a new frame or size. */
  function follow(travelling: boolean): void {
    if (!following) {
      const to = clamp(layout, linked ?? transform, memoryBytes());
      if (linked === undefined || motion.target() === undefined) transform = to;
      else if (to.origin !== goal().origin) go(linked);
      return;
    }
    const all = allOfTheHeap();
    const { origin, bytesPerRow, shift } = goal();
    if (all.origin === origin && all.bytesPerRow === bytesPerRow && shift === 0) {
      exact = host.heapSpan() === undefined; // before there is a heap, nothing has been found
      return;
    }
    if (!exact && all.bytesPerRow < bytesPerRow && all.bytesPerRow > bytesPerRow / 4) return;
    if (travelling) {
      go(all);
      return;
    }
    motion.stop();
    transform = all;
    host.heading(all.bytesPerRow);
    host.changed();
  }

  function zoomTo(bytesPerRow: number, x: number, y: number): void {
    const wanted = restingBytesPerRow(bytesPerRow, 0);
    if (bytesPerRow < goal().bytesPerRow) openUnder(goal(), x, y);
    travel(rest(layout, zoomAbout(layout, goal(), x, y, wanted), x, y, 0));
  }

  /** V5: what is folded there, and what would fold on the way. */
  function openUnder(at: MapTransform, x: number, y: number): void {
    folds.open(addressAt(layout, at, x, y));
  }

  /** V1: opening a fold is a movement by the visitor. */
  function stay(): void {
    following = false;
    linked = undefined;
    if (motion.target() === undefined) rested();
  }

  function jump(to: MapTransform): void {
    following = false;
    linked = undefined;
    motion.stop();
    transform = clamp(layout, to, memoryBytes());
    rested();
    host.changed();
  }

  /** Rows that begin at multiples of bytesPerRow, with an address at a height of the map, 0..1. */
  const aligned = (address: number, bytesPerRow: number, height: number): MapTransform =>
    placeRow(
      layout,
      Math.floor(address / bytesPerRow) * bytesPerRow,
      bytesPerRow,
      Math.round((wholeRows(layout) - 1) * height),
    );

  return {
    folds,
    layout: () => layout,
    transform: () => transform,
    goal,
    /** The address behind the last visible row. */
    end: () => rowStart(layout, transform, Math.ceil(layout.height / layout.pitch) + 1),
    middle: () => rowStart(layout, transform, Math.floor(wholeRows(layout) / 2)),
    /** below: pixels at the lower edge that something lies over. */
    resize(width: number, height: number, below = 0): void {
      layout = layoutFor(width, height, layout.empty, below);
      exact = true;
      follow(false);
    },
    /** Goes on with a journey. Whether the map moved. */
    advance(now: number): boolean {
      const place = motion.place(now, layout);
      if (place === undefined) return false;
      transform = place;
      if (motion.target() === undefined) rested();
      return true;
    },
    follow,
    showAll,
    gesture(x: number, y: number, dx: number, dy: number, factor: number): void {
      following = false;
      linked = undefined;
      motion.stop();
      if (factor !== 1) direction = Math.sign(factor - 1);
      if (factor < 1) openUnder(transform, x, y);
      pointer = { x, y };
      const panned = dx === 0 && dy === 0 ? transform : panBy(layout, transform, dx, dy);
      const zoomed = factor === 1 ? panned : zoomAbout(layout, panned, x, y, panned.bytesPerRow * factor);
      transform = clamp(layout, zoomed, memoryBytes());
      host.changed();
    },
    gestureEnded(): void {
      const resting = rest(layout, transform, pointer.x, pointer.y, direction);
      direction = 0;
      if (resting.bytesPerRow !== transform.bytesPerRow || resting.origin !== transform.origin) travel(resting);
      else if (!following && motion.target() === undefined) rested();
    },
    /** Nearer or farther about an address when it is in view, else about the middle. */
    zoomBy(factor: number, about: number | undefined): void {
      const to = goal();
      const seen = about !== undefined && about >= to.origin && about < rowStart(layout, to, wholeRows(layout));
      const address = seen ? about : addressAt(layout, to, layout.left + layout.textWidth / 2, layout.height / 2);
      const { x, y } = pointOf(layout, to, address);
      zoomTo(to.bytesPerRow * factor, x, y + layout.pitch / 2);
    },
    /** Nearer or farther about a point. */
    zoomAt(x: number, y: number, factor: number): void {
      zoomTo(goal().bytesPerRow * factor, x, y);
    },
    scrollRows(rows: number): void {
      travel(scrollBy(layout, goal(), rows));
    },
    scrollPage(by: -1 | 1): void {
      this.scrollRows(by * Math.max(wholeRows(layout) - 1, 1));
    },
    /** Into view with as little movement as that takes. */
    scrollTo(from: number, to: number): void {
      const next = scrollTo(layout, goal(), from, to);
      if (next !== goal()) travel(next);
    },
    /** So near that a range takes about half a row, in the upper third. */
    goNear(address: number, size: number): void {
      const near = restingBytesPerRow(Math.max(size * 2, 64), 1);
      folds.open(address);
      travel(aligned(address, near, 1 / 3));
    },
    /** Into view, and nearer when it would be too narrow to see; never farther away than the visitor is. */
    reveal(address: number, size: number): void {
      const { bytesPerRow } = goal();
      const narrow = (size / bytesPerRow) * layout.textWidth < kTooNarrow;
      const near = narrow ? restingBytesPerRow((size * layout.textWidth) / kWideEnough, 1) : bytesPerRow;
      if (near < bytesPerRow) travel(aligned(address, near, 1 / 2));
      else this.scrollTo(address, address + size);
    },
    /** So near that [from, to) takes all rows. */
    fit: (from: number, to: number) => travel(fitRange(layout, from, to)),
    /** Without a journey, the row of an address at a height of the map, 0..1: a hand on the strip beside it leads. */
    showAt: (address: number, height: number) => jump(aligned(address, goal().bytesPerRow, height)),
    /** By so many heights of the map, in the same way. */
    jumpScreens: (screens: number) => jump(scrollBy(layout, goal(), Math.round(screens * wholeRows(layout)))),
    /** Opens what is folded under a point. Whether there was something. */
    openAt(x: number, y: number): boolean {
      if (foldUnder(layout, transform, y) === undefined) return false;
      openUnder(transform, x, y);
      stay();
      return true;
    },
    /** Opens the fold that shows an address. Whether there was one. */
    openFoldOf(address: number): boolean {
      if (!isFolded(layout, goal(), address)) return false;
      folds.open(address);
      stay();
      return true;
    },
    setPlace(place: MapPlace | undefined): void {
      if (samePlace(place, reported)) return;
      reported = place;
      if (place === undefined) showAll();
      else {
        const to = transformOf(place.origin, place.bytesPerRow);
        travel(to);
        linked = to;
      }
    },
  };
}

const samePlace = (one: MapPlace | undefined, other: MapPlace | undefined): boolean =>
  one?.origin === other?.origin && one?.bytesPerRow === other?.bytesPerRow;

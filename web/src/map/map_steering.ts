// Which part of memory the map shows, and how it gets elsewhere: gestures, keys and the owner's wishes all end here, as
// one transform.
//
//   V1  With no place set the map shows all of the heap and follows its growth; any movement by the visitor ends that.
//       It does not go nearer for every byte that is given back: only when the heap needs a quarter of the rows.
//   V2  A gesture moves the map at once; everything else travels, so that the eye can follow.
//   V3  At rest bytesPerRow is a power of two, and rows begin at multiples of it; then, and only then, the owner learns the
//       place. While a gesture lasts the address under the pointer stays there; the rest of the way is at most half a row.
//   V4  A place that the owner set may lie beyond the memory there is, while its source is still running: the map goes as near
//       to it as it can, and on to it as the memory grows, until the visitor moves it. What moved before the owner spoke ends.
//   V5  Going nearer to a fold opens it (map_folds.ts); showing all of the heap folds it again.
//
//   V6  Rows are high while all of the heap is shown and leaves a third of the map empty. They keep their height until
//       it is shown anew, or the owner sets a place: what a link shows does not depend on what was shown before.
//   V7  The place where the visitor left the map is kept like one that the owner set (V4): an earlier moment with less memory moves the
//       map away from it, and the next moment that has the memory moves it back.
//
//   course       where the map is, and its journey (map_course.ts)
//   following    why it is there: the heap, the owner's place or the visitor (map_following.ts)
//   this file    how the visitor moves it

import type { MapPlace } from './heap_map_options.ts';
import { type CourseHost, createMapCourse, type MapCourse } from './map_course.ts';
import { createMapFollowing, type FollowingHost, type MapFollowing } from './map_following.ts';
import {
  addressAt,
  fitRange,
  foldUnder,
  isFolded,
  type LayoutSize,
  type MapTransform,
  panBy,
  placeFor,
  placeRow,
  pointOf,
  rest,
  restingBytesPerRow,
  rowStart,
  scrollBy,
  scrollTo,
  wholeRows,
  zoomAbout,
} from './map_geometry.ts';
import type { MapMotion } from './map_motion.ts';

/** A thing narrower than this many CSS pixels is gone to, not only scrolled to; then it gets the second figure. */
const kTooNarrow = 6;
const kWideEnough = 48;

export type SteeringHost = CourseHost & FollowingHost;

export type Steering = ReturnType<typeof createSteering>;

export function createSteering(host: SteeringHost, motion: MapMotion) {
  const course = createMapCourse(host, motion);
  const following = createMapFollowing(host, course);
  const { layout, transform, goal, folds } = course;
  const way: Way = {
    course,
    following,
    changed: host.changed,
    heapSpan: host.heapSpan,
    travel(to) {
      following.leave();
      course.go(to);
    },
    jump(to) {
      following.leave();
      course.stop();
      course.put(course.clamped(to));
      following.rested();
      host.changed();
    },
  };
  return {
    folds,
    layout,
    transform,
    goal,
    /** The address behind the last visible row. */
    end: () => rowStart(layout(), transform(), Math.ceil(layout().height / layout().pitch) + 1),
    middle: () => rowStart(layout(), transform(), Math.floor(wholeRows(layout()) / 2)),
    resize(size: LayoutSize): void {
      course.resize(size);
      following.resized();
    },
    /** Goes on with a journey. Whether the map moved. */
    advance(now: number): boolean {
      if (!course.advance(now)) return false;
      if (!course.isTravelling()) following.rested();
      return true;
    },
    follow: following.follow,
    showAll: following.showAll,
    placeFor: (from: number, to: number, bytesPerRow: number) => placeFor(layout(), from, to, bytesPerRow),
    setPlace: (place: MapPlace | undefined) => following.setPlace(place),
    ...gestures(way),
    ...zooms(way),
    ...scrolls(way),
    ...openings(way),
  };
}

/** How a movement of the visitor's ends. */
interface Way {
  readonly heapSpan: SteeringHost['heapSpan'];
  readonly course: MapCourse;
  readonly following: MapFollowing;
  changed(): void;
  /** So that the eye can follow (V2). */
  travel(to: MapTransform): void;
  /** Without a journey. */
  jump(to: MapTransform): void;
}

/** V2, V3: a hand on the map leads it at once, and leaves it at rest. */
function gestures({ course, following, changed, travel }: Way) {
  let direction = 0; // of the last zoom: +1 outwards
  let pointer = { x: 0, y: 0 };
  return {
    gesture(x: number, y: number, dx: number, dy: number, factor: number): void {
      following.leave();
      course.stop();
      const from = course.transform();
      if (factor !== 1) direction = Math.sign(factor - 1);
      if (factor < 1) openUnder(course, from, x, y);
      pointer = { x, y };
      const layout = course.layout();
      const panned = dx === 0 && dy === 0 ? from : panBy(layout, from, dx, dy);
      const zoomed = factor === 1 ? panned : zoomAbout(layout, panned, x, y, panned.bytesPerRow * factor);
      course.put(course.clamped(zoomed));
      changed();
    },
    /** Late: a wheel has no end of its own. What went elsewhere meanwhile, all of the heap or a journey, goes on. */
    gestureEnded(): void {
      if (following.isFollowing() || course.isTravelling()) {
        direction = 0;
        return;
      }
      const { origin, bytesPerRow } = course.transform();
      const resting = rest(course.layout(), course.transform(), pointer.x, pointer.y, direction);
      direction = 0;
      if (resting.bytesPerRow !== bytesPerRow || resting.origin !== origin) travel(resting);
      else following.rested();
    },
  };
}

function zooms({ course, heapSpan, travel }: Way) {
  const { layout, goal } = course;
  function zoomTo(bytesPerRow: number, x: number, y: number): void {
    const wanted = restingBytesPerRow(bytesPerRow, 0);
    if (bytesPerRow < goal().bytesPerRow) openUnder(course, goal(), x, y);
    travel(rest(layout(), zoomAbout(layout(), goal(), x, y, wanted), x, y, 0));
  }
  return {
    /** Nearer or farther about an address when it is in view, else about the middle. */
    zoomBy(factor: number, about: number | undefined): void {
      const to = goal();
      const at = layout();
      const seen = about !== undefined && about >= to.origin && about < rowStart(at, to, wholeRows(at));
      const address = seen ? about : addressAt(at, to, at.left + at.textWidth / 2, at.height / 2);
      const { x, y } = pointOf(at, to, address);
      zoomTo(to.bytesPerRow * factor, x, y + at.pitch / 2);
    },
    /** Nearer or farther about a point. */
    zoomAt: (x: number, y: number, factor: number) => zoomTo(goal().bytesPerRow * factor, x, y),
    /** So near that a range takes about half a row, in the upper third. */
    goNear(address: number, size: number): void {
      const near = restingBytesPerRow(Math.max(size * 2, 64), 1);
      course.folds.open(address);
      travel(aligned(course, address, near, 1 / 3));
    },
    /** So near that [from, to) takes all rows, with so much of the heap beside it on either side as there is. */
    fit(from: number, to: number, beside = 0): void {
      const { from: begin, to: end } = heapSpan() ?? { from, to };
      travel(
        fitRange(layout(), Math.min(from, Math.max(begin, from - beside)), Math.max(to, Math.min(end, to + beside))),
      );
    },
  };
}

function scrolls({ course, travel, jump }: Way) {
  const { layout, goal } = course;
  const scrollRows = (rows: number) => travel(scrollBy(layout(), goal(), rows));
  /** Into view with as little movement as that takes. */
  function intoView(from: number, to: number): void {
    const next = scrollTo(layout(), goal(), from, to);
    if (next !== goal()) travel(next);
  }
  return {
    scrollRows,
    scrollPage: (by: -1 | 1) => scrollRows(by * Math.max(wholeRows(layout()) - 1, 1)),
    scrollTo: intoView,
    /** Into view, and nearer when it would be too narrow to see; never farther away than the visitor is. */
    reveal(address: number, size: number): void {
      const { bytesPerRow } = goal();
      const { textWidth } = layout();
      const narrow = (size / bytesPerRow) * textWidth < kTooNarrow;
      const near = narrow ? restingBytesPerRow((size * textWidth) / kWideEnough, 1) : bytesPerRow;
      if (near < bytesPerRow) travel(aligned(course, address, near, 1 / 2));
      else intoView(address, address + size);
    },
    /** Without a journey, the row of an address at a height of the map, 0..1: a hand on the strip beside it leads. */
    showAt: (address: number, height: number) => jump(aligned(course, address, goal().bytesPerRow, height)),
    /** By so many heights of the map, in the same way. */
    jumpScreens: (screens: number) => jump(scrollBy(layout(), goal(), Math.round(screens * wholeRows(layout())))),
  };
}

/** V5. To open a fold is a movement by the visitor (V1). */
function openings({ course, following }: Way) {
  function stay(): void {
    following.leave();
    if (!course.isTravelling()) following.rested();
  }
  return {
    /** Opens what is folded under a point. Whether there was something. */
    openAt(x: number, y: number): boolean {
      if (foldUnder(course.layout(), course.transform(), y) === undefined) return false;
      openUnder(course, course.transform(), x, y);
      stay();
      return true;
    },
    /** Opens the fold that shows an address. Whether there was one. */
    openFoldOf(address: number): boolean {
      if (!isFolded(course.layout(), course.goal(), address)) return false;
      course.folds.open(address);
      stay();
      return true;
    },
  };
}

/** V5: what is folded there, and what would fold on the way. */
function openUnder({ folds, layout }: MapCourse, at: MapTransform, x: number, y: number): void {
  folds.open(addressAt(layout(), at, x, y));
}

/** Rows that begin at multiples of bytesPerRow, with an address at a height of the map, 0..1. */
function aligned({ layout }: MapCourse, address: number, bytesPerRow: number, height: number): MapTransform {
  const row = Math.round((wholeRows(layout()) - 1) * height);
  return placeRow(layout(), Math.floor(address / bytesPerRow) * bytesPerRow, bytesPerRow, row);
}

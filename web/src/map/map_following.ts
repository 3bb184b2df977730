// Whether the map shows all of the heap by itself (V1), a place that its owner set (V4), or what the visitor chose; and what the
// owner is told of it (V3). The rules are those of map_steering.ts.

import { addr, bytes } from '../base/brand.ts';
import type { MapPlace } from './heap_map_options.ts';
import type { MapCourse } from './map_course.ts';
import { fitRange, type MapTransform, rowsOf, transformOf } from './map_geometry.ts';

/** All of a heap is shown no nearer than this: its first blocks then fill rows instead of changing the zoom one by one. */
const kNearestAll = 64;

export interface FollowingHost {
  changed(): void;
  heading(bytesPerRow: number): void;
  /** The map rests; undefined: it shows all of the heap. */
  rested(place: MapPlace | undefined): void;
  heapSpan(): { readonly from: number; readonly to: number } | undefined;
}

export type MapFollowing = ReturnType<typeof createMapFollowing>;

export function createMapFollowing(host: FollowingHost, course: MapCourse) {
  let following = true; // V1
  let exact = true; // the next frames may bring it nearer too: it has only begun to follow
  let reported: MapPlace | undefined;
  let kept: { readonly to: MapTransform; readonly isLinked: boolean } | undefined; // V4, else V7

  function rested(): void {
    if (kept?.isLinked) return;
    kept = following ? undefined : { to: course.transform(), isLinked: false };
    const place = kept === undefined ? undefined : placeOf(kept.to);
    if (samePlace(place, reported)) return;
    reported = place;
    host.rested(place);
  }

  /** V6 */
  function allOfTheHeap(): MapTransform {
    const span = host.heapSpan();
    course.setRows(undefined);
    const [from, to] = [span?.from ?? 0, span?.to ?? course.memoryBytes()];
    const all = fitRange(course.layout(), from, to, kNearestAll);
    // The row behind the last one says that memory ends there.
    if (span !== undefined) course.setRows(rowsOf(course.layout(), all).rowOf(to - 1) + 2);
    return all;
  }

  function showAll(): void {
    leave();
    following = exact = true;
    course.folds.closeAll();
    course.go(allOfTheHeap());
  }

  /** The visitor moves the map. */
  function leave(): void {
    following = false;
    kept = undefined;
  }

  function stayWithin(): void {
    const to = course.clamped(kept?.to ?? course.transform());
    if (!kept?.isLinked || !course.isTravelling()) course.put(to);
    else if (to.origin !== course.goal().origin) course.go(kept.to);
  }

  function followHeap(travelling: boolean): void {
    const all = allOfTheHeap();
    const { origin, bytesPerRow, shift } = course.goal();
    if (all.origin === origin && all.bytesPerRow === bytesPerRow && shift === 0) {
      exact = host.heapSpan() === undefined; // before there is a heap, nothing has been found
      return;
    }
    if (!exact && all.bytesPerRow < bytesPerRow && all.bytesPerRow > bytesPerRow / 4) return;
    if (travelling) {
      course.go(all);
      return;
    }
    course.stop();
    course.put(all);
    host.heading(all.bytesPerRow);
    host.changed();
  }

  /** With a new frame or size. */
  function follow(travelling: boolean): void {
    if (following) followHeap(travelling);
    else stayWithin();
  }

  return {
    isFollowing: () => following,
    leave,
    rested,
    showAll,
    follow,
    resized(): void {
      exact = true;
      follow(false);
    },
    /** The owner has set a place. It may be the last one that it learnt: then it ends a journey away from there (V4). */
    setPlace(place: MapPlace | undefined): void {
      const goal = following ? undefined : placeOf(course.goal());
      if (samePlace(place, reported) && (!course.isTravelling() || samePlace(place, goal))) return;
      reported = place;
      if (place === undefined) {
        showAll();
        return;
      }
      leave();
      course.setRows(undefined);
      kept = { to: transformOf(place.origin, place.bytesPerRow), isLinked: true };
      course.go(kept.to);
    },
  };
}

const placeOf = ({ origin, bytesPerRow }: MapTransform): MapPlace => ({
  origin: addr(Math.max(Math.round(origin / 4) * 4, 0)),
  bytesPerRow: bytes(bytesPerRow),
});

const samePlace = (one: MapPlace | undefined, other: MapPlace | undefined): boolean =>
  one?.origin === other?.origin && one?.bytesPerRow === other?.bytesPerRow;

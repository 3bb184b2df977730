// The heap map: a canvas that shows frames, asks for those it needs, and lets the visitor move, zoom and select with
// mouse, touch or keys. It knows a frame, a transform and a selection; everything on it follows from these.
//
//   hand, keys ──▶ steering ──▶ schedule ──▶ draw (once a screen frame) ──▶ onViewport when other memory is in view
//   setFrame ────▶ frame ──────────┘
//
//   M1  A picture is drawn at most once a screen frame, and none while nothing changes.
//   M2  While a new frame is on its way the last one is drawn under the new transform: nothing blinks, nothing jumps.
//
// Over 300 lines: drawing, selecting and keys share the frame and the selection; they are still to be split (biome.json).

import { type Addr, addr } from '../base/brand.ts';
import { formatBytes } from '../base/format.ts';
import { setText } from '../dom/dom.ts';
import type { Theme } from '../dom/palette.ts';
import type { MapFrame, MapViewport } from '../protocol/map_frames.ts';
import { endOfViewport } from '../protocol/viewport.ts';
import { drawMap } from './draw_map.ts';
import { drawOverlay } from './draw_overlay.ts';
import type { HeapMap, HeapMapOptions, MapDetail } from './heap_map_options.ts';
import { bytesOf } from './map_bytes.ts';
import { changesBetween, type MapChange } from './map_changes.ts';
import { addressBeside, restingBytesPerRow, viewportOf } from './map_geometry.ts';
import { listenForGestures } from './map_gestures.ts';
import { createMapGroups } from './map_groups.ts';
import { type MapKey, mapKeyOf } from './map_keys.ts';
import { listenForLongPress } from './map_long_press.ts';
import { findAt } from './map_marks.ts';
import { createMapMotion } from './map_motion.ts';
import type { MapLetter, MapLit, MapOverlay, MapRange } from './map_overlay.ts';
import { makeMapParts } from './map_parts.ts';
import { mapPng } from './map_picture.ts';
import { createMapPointer } from './map_pointer.ts';
import { createSteering } from './map_steering.ts';
import { createMapTable } from './map_table.ts';
import type { MapView } from './map_view.ts';
import { heapSpan, inside, nearest, neighbour, rangeOf, selectable, usedSpan } from './map_walk.ts';
import { spoken } from './map_words.ts';
import { kNoNames } from './pool_names.ts';

const kNothing: MapDetail = {
  selected: undefined,
  inspect: undefined,
  binChain: undefined,
  names: kNoNames,
  animate: false,
};

export function createHeapMap(options: HeapMapOptions): HeapMap {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const motion = createMapMotion();
  const steering = createSteering(
    {
      changed: () => schedule(true),
      heading: (bytesPerRow) => gestures.sync(bytesPerRow),
      rested: (place) => options.onPlace?.(place),
      memoryBytes: () => frame?.memoryBytes,
      heapSpan: () => (frame === undefined ? undefined : usedSpan(frame, steering.folds.isOn())),
      still: () => calm.matches,
    },
    motion,
  );
  const parts = makeMapParts({
    zoomIn: () => steering.zoomBy(0.5, selectedRange()?.address),
    zoomOut: () => steering.zoomBy(2, selectedRange()?.address),
    fit: steering.showAll,
    fold: toggleFolds,
    ...(options.onLives === undefined ? {} : { lives: options.onLives }),
    toggleTable: () => setTable(!table.isOpen()),
  });
  const groups = createMapGroups(parts, options.onColour);
  const pointer = createMapPointer(parts, steering, () => schedule(false));
  const table = createMapTable((address) => selectAndShow(address));
  parts.element.append(table.element);
  options.parent.append(parts.element);
  const gestures = listenForGestures(parts.surface, {
    move(x, y, dx, dy, factor) {
      pointer.hide();
      steering.gesture(x, y, dx, dy, factor);
    },
    end: steering.gestureEnded,
    wheel: (event) => options.wheelNeedsFocus !== true || event.ctrlKey || parts.surface.matches(':focus'),
  });

  let theme: Theme = options.theme;
  let ratio = 1;
  let frame: MapFrame | undefined;
  let detail = kNothing;
  let selected: Addr | undefined;
  let letters: readonly MapLetter[] = [];
  let lit: MapLit | undefined;
  let changes: readonly MapChange[] = [];
  let end: number | undefined; // that Home or End is on its way to
  let asked = '';
  let scheduled = 0;
  let pictureStale = true;

  // ---- drawing (M1)

  function schedule(picture: boolean): void {
    pictureStale ||= picture;
    if (scheduled === 0) scheduled = requestAnimationFrame(draw);
  }

  const viewNow = (): MapView => ({ layout: steering.layout(), transform: steering.transform(), ratio });

  function draw(): void {
    cancelAnimationFrame(scheduled);
    scheduled = 0;
    const now = performance.now();
    const moved = steering.advance(now) || pictureStale;
    const change = motion.change(now);
    pictureStale = false;
    const view = viewNow();
    const [picture, overlay] = [parts.picture.getContext('2d'), parts.overlay.getContext('2d')];
    if (frame !== undefined && picture !== null && overlay !== null) {
      if (moved) drawMap(picture, frame, view, theme, detail.names);
      drawOverlay(overlay, overlayNow(frame, change), view, theme);
    }
    if (moved) {
      setText(parts.rowBytes, `${formatBytes(restingBytesPerRow(view.transform.bytesPerRow, 0))} a row`);
      ask();
      options.onView?.(view.transform.origin, steering.end());
    }
    if (motion.target() !== undefined) schedule(true);
    else if (change !== undefined) schedule(false);
  }

  function overlayNow(shown: MapFrame, change: number | undefined): MapOverlay {
    return {
      lit,
      letters,
      selected: selectedRange(),
      hovered: pointer.hovered(),
      focused: parts.surface.matches(':focus-visible'),
      bytes: detail.inspect === undefined ? undefined : bytesOf(shown, detail.inspect, theme),
      chain: detail.binChain,
      changes: change === undefined ? [] : changes,
      progress: change ?? 1,
    };
  }

  /** Asks for the frame of what is in view when it is another one than the last. */
  function ask(): void {
    const before = asked;
    const wanted = viewport();
    if (asked !== before) options.onViewport(wanted);
  }

  function viewport(): MapViewport {
    const wanted = viewportOf(steering.layout(), steering.transform());
    asked = JSON.stringify(wanted);
    return wanted;
  }

  // ---- selecting

  function selectedRange(): MapRange | undefined {
    if (selected === undefined || frame === undefined) return undefined;
    const { inspect } = detail;
    const range = rangeOf(frame, selected);
    if (range !== undefined || inspect?.asked !== selected || inspect.what === 'outside') return range;
    return inspect.node ?? { address: inspect.chunk, size: inspect.size };
  }

  function select(address: Addr | undefined): void {
    selected = address;
    options.onSelect(address);
    schedule(false);
    notifySelection();
    updateTable();
  }

  function selectAndShow(address: number | undefined): void {
    if (address === undefined) return;
    select(addr(address));
    const size = frame === undefined ? undefined : rangeOf(frame, address)?.size;
    steering.scrollTo(address, address + (size ?? 1));
  }

  function notifySelection(): void {
    if (frame === undefined || selected === undefined) return;
    setText(parts.live, spoken(frame, findAt(frame, selected), selected, detail.names));
  }

  function click(event: MouseEvent): void {
    if (frame === undefined) return;
    const address = pointer.addressOf(event, frame);
    const range = address === undefined ? undefined : selectable(findAt(frame, address), address);
    const { x, y } = pointer.placeOf(event);
    if (address !== undefined) steering.openAt(x, y);
    // Of a density nothing is known but the address: the engine says which chunk it is.
    const inHeap = (at: number): boolean =>
      frame?.segments.some(({ base, size }) => at >= base && at < base + size) === true;
    if (range !== undefined) select(addr(range.address));
    else select(address !== undefined && inHeap(address) ? addr(Math.floor(address)) : undefined);
  }

  function toggleFolds(): void {
    setFolded(!steering.folds.isOn());
    options.onFold?.(steering.folds.isOn());
  }

  function setFolded(on: boolean): void {
    if (on === steering.folds.isOn()) return;
    parts.fold.setAttribute('aria-pressed', String(on));
    steering.folds.setOn(on);
    steering.follow(false);
  }

  function setTable(open: boolean): void {
    table.setOpen(open);
    parts.table.setAttribute('aria-expanded', String(open));
    updateTable();
  }

  function updateTable(): void {
    if (frame !== undefined) table.update(frame, steering.transform().origin, steering.end(), selected);
  }

  // ---- keys

  const presses: Readonly<Record<MapKey, (shown: MapFrame) => void>> = {
    previous: (shown) => stepTo((at) => neighbour(shown, at, -1)),
    next: (shown) => stepTo((at) => neighbour(shown, at, 1)),
    rowUp: (shown) => stepRow(shown, -1),
    rowDown: (shown) => stepRow(shown, 1),
    pageUp: () => steering.scrollPage(-1),
    pageDown: () => steering.scrollPage(1),
    zoomIn: () => steering.zoomBy(0.5, selectedRange()?.address),
    zoomOut: () => steering.zoomBy(2, selectedRange()?.address),
    start: (shown) => goToEnd(shown, heapSpan(shown)?.from),
    end: (shown) => goToEnd(shown, (heapSpan(shown)?.to ?? 0) - 1),
    fit: steering.showAll,
    enter: (shown) => goNearer(shown),
    fold: toggleFolds,
    nextFree: () => selectAndShow(detail.inspect?.nextFree),
    previousFree: () => selectAndShow(detail.inspect?.prevFree),
  };

  /** From the selection, or to the middle of the view when nothing is selected. */
  function stepTo(step: (from: number) => number | undefined): void {
    if (frame === undefined) return;
    selectAndShow(selected === undefined ? nearest(frame, steering.middle()) : step(selected));
  }

  function stepRow(shown: MapFrame, by: -1 | 1): void {
    if (shown.chunks === undefined) steering.scrollRows(by);
    else stepTo((at) => nearest(shown, besideRow(at, by)));
  }

  /** Of a chunk of many rows: beside its last one, or its first. */
  function besideRow(at: number, by: -1 | 1): number {
    const size = selectedRange()?.size ?? 1;
    return addressBeside(steering.layout(), steering.goal(), by < 0 ? at : at + size - 1, by);
  }

  function goToEnd(shown: MapFrame, address: number | undefined): void {
    if (address === undefined || address < 0) return;
    steering.scrollTo(address, address + 1);
    end = address;
    selectEnd(shown);
  }

  /** The first or last chunk can be selected once a frame shows that end of the heap. */
  function selectEnd(shown: MapFrame): void {
    const { viewport } = shown;
    if (end === undefined || end < viewport.origin || end >= endOfViewport(viewport)) return;
    const at = nearest(shown, end);
    end = undefined;
    if (at !== undefined) select(addr(at));
  }

  /** Opens the selection when it is folded, else nearer to it until it is half a row wide, then into its nodes. */
  function goNearer(shown: MapFrame): void {
    const range = selectedRange();
    if (range === undefined) stepTo((at) => at);
    else if (steering.openFoldOf(range.address + range.size / 2)) return;
    else if (range.size < steering.goal().bytesPerRow / 2) steering.goNear(range.address, range.size);
    else selectAndShow(inside(shown, range.address));
  }

  // ---- listening

  const left = new AbortController();
  const { signal } = left;
  const { surface } = parts;
  surface.addEventListener('pointermove', (event) => frame && pointer.move(event, frame, detail.names), { signal });
  surface.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && pointer.hide(), { signal });
  const longPress = {
    open: (event: PointerEvent) => frame && pointer.show(event, frame, detail.names),
    close: pointer.hide,
  };
  listenForLongPress(surface, longPress, signal); // ahead of click: it may take one back
  surface.addEventListener('click', click, { signal });
  surface.addEventListener(
    'dblclick',
    (event) => {
      const { x, y } = pointer.placeOf(event);
      steering.zoomAt(x, y, 1 / 8);
    },
    { signal },
  );
  for (const type of ['focus', 'blur']) surface.addEventListener(type, () => schedule(false), { signal });
  surface.addEventListener(
    'keydown',
    (event) => {
      const key = mapKeyOf(event);
      if (key === undefined || frame === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      end = undefined;
      presses[key](frame);
    },
    { signal },
  );

  function resize(): void {
    const { clientWidth: width, clientHeight: height } = surface;
    if (width === 0 || height === 0) return;
    ratio = Math.max(window.devicePixelRatio, 1);
    for (const canvas of [parts.picture, parts.overlay]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    steering.resize(width, height, Math.max(surface.offsetTop + height - parts.bar.offsetTop, 0));
    schedule(true);
    if (frame !== undefined) draw(); // at once: a canvas that was resized is empty, and would be shown so
  }
  const observer = new ResizeObserver(resize);
  observer.observe(surface);
  gestures.sync(steering.transform().bytesPerRow);
  resize();
  void document.fonts.ready.then(() => {
    if (!signal.aborted) schedule(true);
  });

  return {
    element: parts.element,
    setFrame(next, nextDetail) {
      const before = frame;
      const other = selected !== nextDetail.selected;
      frame = next;
      detail = nextDetail;
      selected = nextDetail.selected;
      steering.folds.setEmpty(next.empty);
      steering.follow(before !== undefined && !calm.matches);
      if (nextDetail.animate && before !== undefined && !calm.matches) {
        changes = changesBetween(before, next);
        if (changes.length > 0) motion.startChange(performance.now());
      }
      if (other) notifySelection();
      selectEnd(next);
      updateTable();
      groups.update(next, theme);
      schedule(true);
    },
    setTheme(next) {
      theme = next;
      groups.update(frame, theme);
      schedule(true);
    },
    setLit(next) {
      if (next === lit) return;
      lit = next;
      schedule(false);
    },
    setLetters(next) {
      letters = next;
      schedule(false);
    },
    setPlace: steering.setPlace,
    setColour: groups.setColour,
    openTable: () => setTable(true),
    setFolded,
    showAt: steering.showAt,
    scrollScreens: steering.jumpScreens,
    fit: steering.fit,
    reveal: (address, size) => steering.reveal(address, size),
    viewport,
    png: () => mapPng(parts),
    picture() {
      if (frame === undefined) throw new Error('The map shows nothing yet.');
      return { frame, view: viewNow(), theme, names: detail.names, overlay: overlayNow(frame, undefined) };
    },
    focus: () => surface.focus(),
    dispose() {
      left.abort();
      observer.disconnect();
      gestures.dispose();
      cancelAnimationFrame(scheduled);
      parts.element.remove();
    },
  };
}

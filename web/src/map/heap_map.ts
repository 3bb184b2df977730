// The heap map: a canvas that shows frames, asks for those it needs, and lets the visitor move, zoom and select with
// mouse, touch or keys. It knows a frame, a transform and a selection; everything on it follows from these.
//
//   hand, keys ──▶ steering ──▶ painter (once a screen frame) ──▶ onViewport when other memory is in view
//   setFrame ────▶ shown ──────────┘  ▲
//   click, keys ─▶ selection ─────────┘
//
//   M1  A picture is drawn at most once a screen frame, and none while nothing changes.
//   M2  While a new frame is on its way the last one is drawn under the new transform: nothing blinks, nothing jumps.

import type { Addr } from '../base/brand.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
import type { HeapMap, HeapMapOptions, MapDetail } from './heap_map_options.ts';
import { changesBetween } from './map_changes.ts';
import { listenForGestures } from './map_gestures.ts';
import { createMapGroups } from './map_groups.ts';
import { listenOnMap } from './map_listeners.ts';
import { createMapMotion } from './map_motion.ts';
import { createMapPainter } from './map_painter.ts';
import { type MapParts, makeMapParts } from './map_parts.ts';
import { mapPng } from './map_picture.ts';
import { createMapPointer } from './map_pointer.ts';
import { createMapPresses } from './map_presses.ts';
import { createMapSelection } from './map_selection.ts';
import { type MapShown, nothingShown, selectedRange } from './map_shown.ts';
import { createSteering, type Steering } from './map_steering.ts';
import { createMapTable } from './map_table.ts';
import { usedSpan } from './map_walk.ts';

export function createHeapMap(options: HeapMapOptions): HeapMap {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const shown = nothingShown(options.theme);
  const { parts, steering, motion, painter, selection, groups, table, folding, gestures, dispose } = assemble(
    options,
    shown,
    calm,
  );

  function setFrame(frame: MapFrame, detail: MapDetail): void {
    const { frame: before, selected } = shown;
    Object.assign(shown, { frame, detail, selected: detail.selected });
    steering.folds.setEmpty(frame.empty);
    steering.follow(before !== undefined && !calm.matches && !detail.arrives);
    if (detail.animate && before !== undefined && !calm.matches) {
      shown.changes = changesBetween(before, frame);
      if (shown.changes.length > 0) motion.startChange(performance.now());
    }
    if (selected !== detail.selected) selection.say();
    selection.selectEnd(frame);
    table.update();
    groups.update(frame, shown.theme);
    painter.schedule(true);
  }

  gestures.sync(steering.transform().bytesPerRow);
  painter.resize();
  return {
    element: parts.element,
    setFrame,
    setTheme(theme) {
      shown.theme = theme;
      groups.update(shown.frame, theme);
      painter.schedule(true);
    },
    setLit(lit) {
      if (lit === shown.lit) return;
      shown.lit = lit;
      painter.schedule(false);
    },
    setLetters(letters) {
      shown.letters = letters;
      painter.schedule(false);
    },
    setPlace: steering.setPlace,
    placeFor: steering.placeFor,
    setColour: groups.setColour,
    openTable: () => table.setOpen(true),
    setFolded: folding.set,
    showAt: steering.showAt,
    scrollScreens: steering.jumpScreens,
    fit: steering.fit,
    reveal: steering.reveal,
    viewport: painter.viewport,
    png: () => mapPng(parts),
    picture() {
      const { frame, theme, detail } = shown;
      if (frame === undefined) throw new Error('The map shows nothing yet.');
      return {
        frame,
        view: painter.view(),
        theme,
        names: detail.names,
        overlay: painter.overlayOf(frame, undefined),
      };
    },
    isBusy: painter.isDue,
    focus: () => parts.surface.focus(),
    dispose,
  };
}

/** The parts of the map, wired to each other: what one of them makes happen in another goes through here. */
function assemble(options: HeapMapOptions, shown: MapShown, calm: MediaQueryList) {
  const motion = createMapMotion();
  const steering = createSteering(
    {
      changed: () => painter.schedule(true),
      heading: (bytesPerRow) => gestures.sync(bytesPerRow),
      rested: (place) => options.onPlace?.(place),
      memoryBytes: () => shown.frame?.memoryBytes,
      heapSpan: () => (shown.frame === undefined ? undefined : usedSpan(shown.frame, steering.folds.isOn())),
      still: () => calm.matches,
    },
    motion,
  );
  const parts = makeMapParts({
    zoomIn: () => steering.zoomBy(0.5, selectedRange(shown)?.address),
    zoomOut: () => steering.zoomBy(2, selectedRange(shown)?.address),
    fit: steering.showAll,
    fold: () => folding.toggle(),
    ...(options.onLives === undefined ? {} : { lives: options.onLives }),
    toggleTable: () => table.setOpen(!table.isOpen()),
  });
  const groups = createMapGroups(parts, options.onColour);
  const folding = createFolding(parts, steering, options.onFold);
  const pointer = createMapPointer(parts, steering, () => painter.schedule(false), options.stackAt);
  const table = createTwin(parts, steering, shown, (address) => selection.show(address));
  const painter = createMapPainter({ shown, parts, steering, motion, owner: options, hovered: pointer.hovered });
  const selected = (address: Addr | undefined): void => {
    options.onSelect(address);
    painter.schedule(false);
    table.update();
  };
  const selection = createMapSelection({ shown, parts, steering, pointer, selected });
  options.parent.append(parts.element);
  const gestures = listenForGestures(parts.surface, {
    move(x, y, dx, dy, factor) {
      pointer.hide();
      steering.gesture(x, y, dx, dy, factor);
    },
    end: steering.gestureEnded,
    wheel: (event) => options.wheelNeedsFocus !== true || event.ctrlKey || parts.surface.matches(':focus'),
  });
  const presses = createMapPresses({ shown, steering, selection, toggleFolds: folding.toggle });
  const left = new AbortController();
  const focused = (): void => painter.schedule(false);
  listenOnMap(parts.surface, { shown, steering, pointer, selection, presses, focused }, left.signal);
  const observer = new ResizeObserver(painter.resize);
  observer.observe(parts.surface);
  void document.fonts.ready.then(() => {
    if (!left.signal.aborted) painter.schedule(true);
  });
  function dispose(): void {
    left.abort();
    observer.disconnect();
    gestures.dispose();
    painter.dispose();
    parts.element.remove();
  }
  return { parts, steering, motion, painter, selection, groups, table, folding, gestures, dispose };
}

/** The switch that folds runs of emptiness. */
function createFolding({ fold }: MapParts, steering: Steering, onFold: HeapMapOptions['onFold']) {
  function set(on: boolean): void {
    if (on === steering.folds.isOn()) return;
    fold.setAttribute('aria-pressed', String(on));
    steering.folds.setOn(on);
    steering.follow(false);
  }
  return {
    set,
    toggle(): void {
      set(!steering.folds.isOn());
      onFold?.(steering.folds.isOn());
    },
  };
}

/** The map's table, with the button that opens it. */
function createTwin(parts: MapParts, steering: Steering, shown: MapShown, select: (address: number) => void) {
  const table = createMapTable(select);
  parts.element.append(table.element);
  function update(): void {
    if (shown.frame !== undefined)
      table.update(shown.frame, steering.transform().origin, steering.end(), shown.selected);
  }
  return {
    update,
    isOpen: table.isOpen,
    setOpen(open: boolean): void {
      table.setOpen(open);
      parts.table.setAttribute('aria-expanded', String(open));
      update();
    },
  };
}

// The strip beside the map: all memory that heaps have, top to bottom, and the part of it that the map shows. Dragging it, a
// click, or the arrow keys move the map.
//
//   ┌──┐
//   │▓▓│  a line for each cell: coloured as the map is from far, as long as it is full
//   │▓ │
//   ╞══╡  what the map shows
//   │▓▒│
//   ╘══╛
//   │  │
//
//   mini.1  It is drawn when a frame brings it, or the map moves; at rest nothing happens.
//   mini.2  Its size is measured when it changes: to read it for each cell would lay the page out anew each time.

import './minimap.css';
import { formatAddress } from '../base/format.ts';
import { make } from '../dom/dom.ts';
import type { Theme } from '../dom/palette.ts';
import type { OverviewFrame } from '../protocol/map_frames.ts';
import { cellPixel } from './draw_cells.ts';
import { cssOf } from './svg_context.ts';

export interface MinimapCallbacks {
  /** The row of this address is to come to a height of the map, 0..1, or as near to it as rows allow. */
  showAt(address: number, height: number): void;
  /** The map moves by so many screens. */
  scrollScreens(screens: number): void;
  /** Another height: a frame with other cells is wanted. */
  resized(): void;
}

/** Pixels a cell is high. */
const kCellHeight = 3;
const kLeastWindow = 6;
const kScreens: Readonly<Record<string, number>> = { ArrowUp: -1 / 8, ArrowDown: 1 / 8, PageUp: -1, PageDown: 1 };

export function createMinimap(parent: Element, callbacks: MinimapCallbacks) {
  const { element, canvas, shown } = makeStrip();
  parent.append(element);

  let overview: OverviewFrame | undefined;
  let theme: Theme | undefined;
  let view = { from: 0, to: 0 };
  let drawn: OverviewFrame | undefined;

  const size = createMeasure(element);
  const height = () => size.now().height;
  const span = () => (overview === undefined ? 0 : overview.to - overview.from);
  const yOf = (address: number) =>
    overview === undefined || span() === 0 ? 0 : ((address - overview.from) / span()) * height();

  function draw(): void {
    drawn = overview;
    const context = canvas.getContext('2d');
    if (theme === undefined || context === null) return;
    const ratio = Math.max(window.devicePixelRatio, 1);
    const { width } = size.now();
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height() * ratio);
    if (overview === undefined) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawOverview(context, overview, width, yOf, theme);
  }

  function place(): void {
    const known = overview !== undefined && span() > 0;
    shown.hidden = !known;
    if (!known) return;
    const top = Math.min(Math.max(yOf(view.from), 0), height() - kLeastWindow);
    const bottom = Math.min(Math.max(yOf(view.to), top + kLeastWindow), height());
    shown.style.transform = `translateY(${Math.round(top)}px)`;
    shown.style.height = `${Math.round(bottom - top)}px`;
    const share = Math.min(Math.max((view.from - (overview?.from ?? 0)) / span(), 0), 1);
    element.setAttribute('aria-valuenow', String(Math.round(share * 100)));
    element.setAttribute('aria-valuetext', `${formatAddress(Math.max(view.from, 0))} to ${formatAddress(view.to)}`);
  }

  /** The middle of what is shown goes to the address under the pointer. */
  function goTo(event: PointerEvent): void {
    if (overview === undefined) return;
    const y = event.clientY - element.getBoundingClientRect().top;
    const middle = overview.from + (Math.min(Math.max(y, 0), height()) / Math.max(height(), 1)) * span();
    callbacks.showAt(middle, 0.5);
  }
  listenForDrags(element, goTo);
  listenForScrollKeys(element, () => overview, callbacks);

  const observer = new ResizeObserver(() => {
    size.forget();
    draw();
    place();
    callbacks.resized();
  });
  observer.observe(element);

  return {
    element,
    /** How many cells a frame should have; none where the strip is not shown. */
    rows: () => Math.floor(height() / kCellHeight),
    setTheme(next: Theme): void {
      theme = next;
      draw();
    },
    /** mini.1 */
    update(next: OverviewFrame | undefined): void {
      overview = next ?? overview;
      if (overview !== drawn) draw();
      place();
    },
    /** Other memory will be shown: nothing is, until then. */
    forget(): void {
      overview = undefined;
      draw();
      place();
    },
    setView(from: number, to: number): void {
      view = { from, to };
      place();
    },
    dispose(): void {
      observer.disconnect();
      element.remove();
    },
  };
}

/** mini.2 */
function createMeasure(element: HTMLElement) {
  let size: { readonly width: number; readonly height: number } | undefined;
  return {
    now() {
      size ??= { width: element.clientWidth, height: element.clientHeight };
      return size;
    },
    forget(): void {
      size = undefined;
    },
  };
}

function listenForDrags(element: HTMLElement, goTo: (event: PointerEvent) => void): void {
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    goTo(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (element.hasPointerCapture(event.pointerId)) goTo(event);
  });
}

function makeStrip() {
  const canvas = make('canvas', { class: 'hg-minimap__canvas', 'aria-hidden': 'true' });
  const shown = make('div', { class: 'hg-minimap__window' });
  const element = make(
    'div',
    {
      class: 'hg-minimap',
      role: 'scrollbar',
      tabindex: 0,
      'aria-label': 'Memory: where the map is',
      'aria-orientation': 'vertical',
      'aria-controls': 'hg-heap-map-area',
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      'aria-valuenow': 0,
    },
    canvas,
    shown,
  );
  return { element, canvas, shown };
}

/** A row a cell, its length the share that is taken. */
function drawOverview(
  context: CanvasRenderingContext2D,
  { cells, cellBytes, from }: OverviewFrame,
  width: number,
  yOf: (address: number) => number,
  theme: Theme,
): void {
  for (let row = 0; row < cells.inUse.length; row++) {
    const pixel = cellPixel(cells, row, theme);
    if (pixel === undefined) continue;
    const y = Math.round(yOf(from + row * cellBytes)); // whole pixels: no seam between cells
    const full = Math.min(((cells.inUse[row] ?? 0) + (cells.cached[row] ?? 0) + (cells.pool[row] ?? 0)) / 255, 1);
    const high = Math.max(Math.round(yOf(from + (row + 1) * cellBytes)) - y, 1);
    context.fillStyle = theme.css.raised;
    context.fillRect(0, y, width, high);
    context.fillStyle = cssOf(pixel);
    context.fillRect(0, y, Math.max(width * full, full > 0 ? 1 : 0), high);
  }
}

function listenForScrollKeys(
  element: HTMLElement,
  overviewNow: () => OverviewFrame | undefined,
  { scrollScreens, showAt }: MinimapCallbacks,
): void {
  element.addEventListener('keydown', (event) => {
    const overview = overviewNow();
    if (overview === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const screens = kScreens[event.key];
    if (screens !== undefined) scrollScreens(screens);
    else if (event.key === 'Home') showAt(overview.from, 0);
    else if (event.key === 'End') showAt(overview.to - 1, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

// Address against time, in the map's place: each block's life is a rectangle. The window is the map's stretch of memory and the
// time line's stretch of time; a brush narrows both.
//
//   click   selects the block and goes to that event     drag   the brushed part becomes the window     double click   all again
//   + and - nearer and farther in time                    0      all again

import './lives.css';
import { formatBytes, formatCount } from '../base/format.ts';
import { iconButton, make, markPage, setText } from '../dom/dom.ts';
import type { Theme } from '../dom/palette.ts';
import type { LivesFrame, LivesWindow } from '../protocol/whole_trace.ts';
import { drawLives, type LivesMarks, livesLayout } from './draw_lives.ts';

export interface LivesCallbacks {
  /** Narrows what is shown. */
  brush(window: Pick<LivesWindow, 'from' | 'to' | 'low' | 'high'>): void;
  /** All of the time and of the memory. */
  all(): void;
  /** undefined: there was no block. */
  pick(event: number, address: number | undefined): void;
  /** Half the time, or twice as much. */
  zoomTime(factor: number): void;
  /** Back to the map. */
  close(): void;
  resized(): void;
}

const kLeastDrag = 5;
const kCellHeight = 3;
const kPaths = {
  out: 'M3 7h10v2H3z',
  near: 'M7 3h2v4h4v2H9v4H7V9H3V7h4z',
  all: 'M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5zM5 7h6v2H5z',
};

export function createLives(parent: Element, callbacks: LivesCallbacks) {
  const { element, surface, canvas, brush, said } = makeLivesParts(callbacks);
  parent.append(element);

  let frame: LivesFrame | undefined;
  let marks: LivesMarks = { cursor: 0, selected: undefined };
  let theme: Theme | undefined;

  const layout = () => livesLayout(surface.clientWidth, surface.clientHeight);

  function draw(): void {
    const context = canvas.getContext('2d');
    if (element.hidden || frame === undefined || theme === undefined || context === null) return;
    const { width, height } = layout();
    if (width === 0) return;
    const ratio = Math.max(window.devicePixelRatio, 1);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawLives(context, frame, layout(), marks, theme);
  }

  /** The event and address under the pointer. */
  function placeOf(event: MouseEvent): LivesPlace | undefined {
    if (frame === undefined) return undefined;
    const box = surface.getBoundingClientRect();
    const { left, right, top, bottom } = layout();
    const across = Math.min(Math.max((event.clientX - box.left - left) / (right - left), 0), 1);
    const down = Math.min(Math.max((event.clientY - box.top - top) / (bottom - top), 0), 1);
    const { window: part } = frame;
    return {
      at: Math.round(part.from + across * (part.to - part.from)),
      address: part.low + down * (part.high - part.low),
    };
  }

  listenForBrush(surface, brush, placeOf, {
    pick: ({ at, address }) => callbacks.pick(at, frame?.lives && blockAt(frame.lives, at, address)),
    brush: callbacks.brush,
  });
  surface.addEventListener('dblclick', callbacks.all);
  listenForLivesKeys(surface, callbacks);

  const observer = new ResizeObserver(() => {
    draw();
    if (!element.hidden) callbacks.resized();
  });
  observer.observe(surface);

  return {
    element,
    /** What a frame is to have. */
    size(): Pick<LivesWindow, 'columns' | 'rows'> {
      const { left, right, top, bottom } = layout();
      return {
        columns: Math.max(1, Math.floor((right - left) / 2)),
        rows: Math.max(1, Math.floor((bottom - top) / kCellHeight)),
      };
    },
    show(open: boolean): void {
      if (element.hidden !== open) return;
      element.hidden = !open;
      markPage(element, 'lives', open);
      draw();
    },
    setTheme(next: Theme): void {
      theme = next;
      draw();
    },
    setMarks(next: LivesMarks): void {
      if (next.cursor === marks.cursor && next.selected === marks.selected) return;
      marks = next;
      draw();
    },
    setFrame(next: LivesFrame): void {
      frame = next;
      setText(said, livesText(next));
      draw();
    },
    failed: (message: string) => setText(said, message),
    dispose(): void {
      observer.disconnect();
      element.remove();
    },
  };
}

interface LivesPlace {
  readonly at: number; // event
  readonly address: number;
}

function makeLivesParts(callbacks: LivesCallbacks) {
  const canvas = make('canvas', { class: 'hg-lives__canvas', 'aria-hidden': 'true' });
  const brush = make('div', { class: 'hg-lives__brush', hidden: true });
  const surface = make(
    'div',
    { class: 'hg-lives__surface', role: 'application', tabindex: 0, 'aria-label': 'Lifetimes: address against time' },
    canvas,
    brush,
  );
  const said = make('p', { class: 'hg-lives__said', role: 'status' });
  const toMap = make('button', { type: 'button', class: 'hg-button hg-lives__map' }, 'Map');
  toMap.addEventListener('click', callbacks.close);
  const bar = make(
    'div',
    { class: 'hg-lives__bar', role: 'group', 'aria-label': 'Lifetimes' },
    toMap,
    iconButton(kPaths.out, 'More time', () => callbacks.zoomTime(2)),
    iconButton(kPaths.near, 'Less time', () => callbacks.zoomTime(0.5)),
    iconButton(kPaths.all, 'All of the time and of the memory', callbacks.all),
  );
  const element = make(
    'div',
    { class: 'hg-lives', hidden: true },
    surface,
    make('div', { class: 'hg-lives__foot' }, said, bar),
  );
  return { element, surface, canvas, brush, said };
}

/** Exported because the words are the contract. */
export function livesText({ lives, window: part }: LivesFrame): string {
  const where = `Events ${formatCount(part.from)} to ${formatCount(part.to)}, ${formatBytes(part.high - part.low)} of memory`;
  if (lives === undefined)
    return `${where}: too many blocks for single ones; this is how much of each place is in use. Drag to look nearer.`;
  const ended = lives.ended.reduce((sum, event) => sum + (event > 0 ? 1 : 0), 0);
  const blocks = `${formatCount(lives.count)} blocks, of which ${formatCount(ended)} were freed (paler)`;
  const events = part.to - part.from + 1;
  if (part.columns >= events) return `${where}: ${blocks}.`;
  return `${where}, looked at ${formatCount(part.columns)} times: ${blocks}. Nearer there may be more, of shorter lives.`; // LV1
}

/** The block that lived at a place. */
export function blockAt(lives: NonNullable<LivesFrame['lives']>, at: number, address: number): number | undefined {
  for (let nth = lives.count - 1; nth >= 0; nth--) {
    const begin = lives.address[nth] ?? 0;
    const ended = lives.ended[nth] ?? 0;
    if (address < begin || address >= begin + (lives.size[nth] ?? 0)) continue;
    if (at >= (lives.begun[nth] ?? 0) && (ended === 0 || at < ended)) return begin;
  }
  return undefined;
}

/** A drag chooses a window, a click a place. */
function listenForBrush(
  surface: HTMLElement,
  brush: HTMLElement,
  placeOf: (event: MouseEvent) => LivesPlace | undefined,
  { pick, brush: choose }: { pick(place: LivesPlace): void; brush: LivesCallbacks['brush'] },
): void {
  let begun: { readonly x: number; readonly y: number; readonly event: PointerEvent } | undefined;
  surface.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    surface.setPointerCapture(event.pointerId);
    begun = { x: event.clientX, y: event.clientY, event };
  });
  surface.addEventListener('pointermove', (event) => {
    if (begun === undefined) return;
    const box = surface.getBoundingClientRect();
    const [x, y] = [Math.min(begun.x, event.clientX) - box.left, Math.min(begun.y, event.clientY) - box.top];
    brush.hidden = !isDrag(begun, event);
    brush.style.transform = `translate(${x}px, ${y}px)`;
    brush.style.width = `${Math.abs(event.clientX - begun.x)}px`;
    brush.style.height = `${Math.abs(event.clientY - begun.y)}px`;
  });
  surface.addEventListener('pointerup', (event) => {
    const from = begun;
    begun = undefined;
    brush.hidden = true;
    const [one, two] = [from === undefined ? undefined : placeOf(from.event), placeOf(event)];
    if (from === undefined || one === undefined || two === undefined) return;
    if (!isDrag(from, event)) pick(two);
    else
      choose({
        from: Math.min(one.at, two.at) as LivesWindow['from'],
        to: Math.max(one.at, two.at) as LivesWindow['to'],
        low: Math.floor(Math.min(one.address, two.address)) as LivesWindow['low'],
        high: Math.ceil(Math.max(one.address, two.address)) as LivesWindow['high'],
      });
  });
  surface.addEventListener('pointercancel', () => {
    begun = undefined;
    brush.hidden = true;
  });
}

function listenForLivesKeys(surface: HTMLElement, callbacks: LivesCallbacks): void {
  surface.addEventListener('keydown', (event) => {
    const presses: Readonly<Record<string, () => void>> = {
      '+': () => callbacks.zoomTime(0.5),
      '-': () => callbacks.zoomTime(2),
      '0': callbacks.all,
    };
    const press = presses[event.key];
    if (press === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    press();
  });
}

const isDrag = (from: { readonly x: number; readonly y: number }, to: PointerEvent): boolean =>
  Math.abs(to.clientX - from.x) > kLeastDrag || Math.abs(to.clientY - from.y) > kLeastDrag;

// A hand and the keys on the time line: they move the cursor, or choose the stretch of time that is shown (timeline.ts lists them).

import type { TimelineCallbacks } from './timeline.ts';
import { between, stretchOf, type TimelineRange, widened } from './timeline_range.ts';

/** What is shown now: events from ... to of `head`, with the cursor at `at`. */
export type Now = () => {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly head: number;
  readonly range: TimelineRange;
};

export interface Hand {
  readonly now: Now;
  eventAt(inside: number): number;
  setRange(range: TimelineRange): void;
  /** A stretch that is being chosen; undefined: none is. */
  mark(stretch: TimelineRange): void;
}

export function listenForPointer(
  element: HTMLElement,
  callbacks: TimelineCallbacks,
  { now, eventAt, setRange, mark }: Hand,
): void {
  let anchor: number | undefined; // of a stretch that is being chosen
  const seqAt = ({ clientX }: MouseEvent): number => {
    const { from, to, head } = now();
    const inside = clientX - element.getBoundingClientRect().left;
    return Math.round(Math.min(Math.max(eventAt(inside), from), Math.min(to, head)));
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    if (event.shiftKey) anchor = seqAt(event);
    else callbacks.seek(seqAt(event));
  });
  element.addEventListener('pointermove', (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    if (anchor === undefined) callbacks.seek(seqAt(event));
    else mark(between(anchor, seqAt(event)));
  });
  const release = (event: PointerEvent, isChosen: boolean): void => {
    const chosen = anchor === undefined || !isChosen ? undefined : stretchOf(between(anchor, seqAt(event)), now().head);
    anchor = undefined;
    mark(undefined);
    if (chosen !== undefined) setRange(chosen);
  };
  element.addEventListener('pointerup', (event) => release(event, true));
  element.addEventListener('pointercancel', (event) => release(event, false));
  element.addEventListener(
    'wheel',
    (event) => {
      if (callbacks.wheelNeedsFocus === true && !event.ctrlKey && !element.matches(':focus')) return;
      event.preventDefault();
      setRange(widened(now(), seqAt(event), Math.exp(event.deltaY * 0.002), now().head));
    },
    { passive: false },
  );
  element.addEventListener('dblclick', () => setRange(undefined));
}

export function listenForKeys(
  element: HTMLElement,
  callbacks: TimelineCallbacks,
  now: Now,
  setRange: Hand['setRange'],
): void {
  element.addEventListener('keydown', (event) => {
    const { at, head, range } = now();
    const tenth = Math.max(1, Math.round((range === undefined ? head : range.to - range.from) / 10));
    const seek = (seq: number) => callbacks.seek(Math.min(Math.max(0, seq), head));
    const show = (factor: number) => setRange(widened(now(), at, factor, head));
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => callbacks.step(-1),
      ArrowDown: () => callbacks.step(-1),
      ArrowRight: () => callbacks.step(1),
      ArrowUp: () => callbacks.step(1),
      PageUp: () => seek(at - tenth),
      PageDown: () => seek(at + tenth),
      Home: () => seek(0),
      End: () => seek(head),
      '+': () => show(1 / 2),
      '=': () => show(1 / 2),
      '-': () => show(2),
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  });
}

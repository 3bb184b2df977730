// Time below everything: bytes in use (least to most in each column), above them what malloc caches, on the footprint, chapters as marks, green ticks
// where walking the real heap agreed, and the amber handle of the cursor.
//
//   drag or click   moves the cursor              wheel over it   narrows or widens the stretch of time shown
//   arrow keys      step (PageUp, PageDown: a tenth), Home, End   double click shows all of it again
//
// The wide picture is redrawn only when its data came anew; the cursor is one transform.

import './timeline.css';
import { type AxisScale, axisBottom, axisLeft } from 'd3-axis';
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { area } from 'd3-shape';
import { formatBytes, formatCount } from '../../base/format.ts';
import { make, makeSvg } from '../../dom/dom.ts';
import type { TimelineFrame } from '../../protocol/frames.ts';

export interface TimelineCallbacks {
  /** The visitor moved the cursor. */
  seek(seq: number): void;
  step(by: -1 | 1): void;
  /** The visitor wants another stretch of time; undefined: all of it. */
  range(range: { readonly from: number; readonly to: number } | undefined): void;
  /** Another width: a frame with other columns is wanted. */
  resized(): void;
  /** The wheel is the time line's only while it has the focus, or with Ctrl: else it scrolls the page around it. */
  readonly wheelNeedsFocus?: boolean;
}

const kMargin = { left: 66, right: 8, top: 16, bottom: 22 };
const kNarrowMargin = { left: 10, right: 10, top: 12, bottom: 18 };
const kNarrow = 600;
const kLeastEvents = 200;
/** Width of a letter of a label, on average. */
const kLetter = 6.2;
/** Height of the cursor's handle, on the axis. */
const kHandle = 8;
const kAxisEnd = 20; // nearer to the right edge a number would be cut off

export function createTimeline(parent: Element, callbacks: TimelineCallbacks) {
  const footprintPath = makeSvg('path', { class: 'hg-timeline__footprint' });
  const cachedPath = makeSvg('path', { class: 'hg-timeline__cached', fill: 'url(#hg-timeline-cached)' });
  const inUsePath = makeSvg('path', { class: 'hg-timeline__in-use' });
  const leastPath = makeSvg('path', { class: 'hg-timeline__least' });
  const axisX = makeSvg('g', { class: 'hg-timeline__axis' });
  const axisY = makeSvg('g', { class: 'hg-timeline__axis' });
  const marks = makeSvg('g', { class: 'hg-timeline__marks' });
  const flags = makeSvg('g', { class: 'hg-timeline__bookmarks' });
  const verified = makeSvg('path', { class: 'hg-timeline__verified' });
  const cursor = makeSvg(
    'g',
    { class: 'hg-timeline__cursor' },
    makeSvg('line'),
    makeSvg('rect', { x: -4, width: 8, height: kHandle, rx: 1.5 }),
  );
  const svg = makeSvg(
    'svg',
    { 'aria-hidden': 'true' },
    makeSvg('defs', {}, cachedPattern()),
    footprintPath,
    cachedPath,
    inUsePath,
    leastPath,
    marks,
    flags,
    verified,
    axisX,
    axisY,
    cursor,
  );
  const element = make(
    'div',
    {
      class: 'hg-timeline',
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Time, in events',
      'aria-valuemin': 0,
      'aria-valuemax': 0,
      'aria-valuenow': 0,
    },
    svg,
  );
  parent.append(element);

  let frame: TimelineFrame | undefined;
  let at = 0;
  let shown = 0;
  let head = 0;
  let width = 0;
  let height = 0;
  let margin = kMargin;
  let x: ScaleLinear<number, number> = scaleLinear();
  let bookmarks: readonly number[] = [];
  let range: { readonly from: number; readonly to: number } | undefined;

  function draw(): void {
    svg.setAttribute('width', String(width));
    svg.setAttribute('height', String(height));
    margin = width < kNarrow ? kNarrowMargin : kMargin;
    const from = frame?.from ?? 0;
    const to = Math.max(frame?.to ?? 0, from + 1);
    x = scaleLinear([from, to], [margin.left, Math.max(margin.left + 1, width - margin.right)]);
    let most = 1;
    for (const value of frame?.footprint ?? []) if (value > most) most = value;
    for (const value of frame?.inUseMax ?? []) if (value > most) most = value;
    const y = scaleLinear([0, most], [height - margin.bottom, margin.top]);

    const columns = frame?.columns ?? 0;
    const columnX = (index: number) => x(from + ((to - from) * (index + 0.5)) / Math.max(1, columns));
    const path = (high: Float64Array | undefined, low: Float64Array | undefined) =>
      area<number>()
        .x((_, index) => columnX(index))
        .y0((_, index) => y(low?.[index] ?? 0))
        .y1((_, index) => y(high?.[index] ?? 0))(high ?? []) ?? '';
    footprintPath.setAttribute('d', path(frame?.footprint, undefined));
    const holds = frame?.occupiedMax.some((value, index) => value !== frame?.inUseMax[index]) ?? false;
    cachedPath.setAttribute('d', holds ? path(frame?.occupiedMax, undefined) : '');
    inUsePath.setAttribute('d', path(frame?.inUseMax, undefined));
    leastPath.setAttribute('d', path(frame?.inUseMax, frame?.inUseMin));

    const ticks = Math.max(2, Math.floor(width / 180));
    const scaleX: AxisScale<number> = x;
    select(axisX)
      .attr('transform', `translate(0 ${height - margin.bottom})`)
      .call(
        axisBottom<number>(scaleX)
          .ticks(ticks)
          .tickSize(0)
          .tickPadding(7)
          .tickFormat((value) => shortCount(value)),
      )
      .selectAll<SVGTextElement, number>('text')
      .attr('text-anchor', (value) => (x(value) > width - kAxisEnd ? 'end' : 'middle')); // whole at the right edge too
    const scaleY: AxisScale<number> = y;
    select(axisY)
      .attr('transform', `translate(${margin.left} 0)`)
      .attr('display', width < kNarrow ? 'none' : null)
      .call(
        axisLeft<number>(scaleY)
          .tickValues(byteTicks(most, (height - margin.top - margin.bottom) / 26))
          .tickSize(0)
          .tickPadding(10)
          .tickFormat((value) => formatBytes(value)),
      );

    const base = height - margin.bottom;
    verified.setAttribute(
      'd',
      (frame?.verified ?? []).map((seq) => `M${Math.round(x(seq)) + 0.5} ${base}v-6`).join(''),
    );
    const allMarks = frame?.marks ?? [];
    select(marks)
      .selectChildren<SVGGElement, unknown>('g')
      .data(allMarks)
      .join((enter) => {
        const group = enter.append('g');
        group.append('line');
        group.append('text');
        return group;
      })
      .attr('data-seq', (mark) => mark.seq)
      .attr('transform', (mark) => `translate(${Math.round(x(mark.seq)) + 0.5} 0)`)
      .each(function (mark, index) {
        const next = allMarks[index + 1];
        const room = (next === undefined ? width : Math.min(x(next.seq), width)) - x(mark.seq) - 10;
        const group = select(this);
        group.select('line').attr('y1', 2).attr('y2', base);
        group.select('text').attr('x', 5).attr('y', 11).text(cut(mark.label, room));
      });
    drawBookmarks();
    drawCursor();
  }

  /** A flag each, below the chapters' names. */
  function drawBookmarks(): void {
    const base = height - margin.bottom;
    flags.replaceChildren(
      ...bookmarks
        .filter((event) => event >= (frame?.from ?? 0) && event <= (frame?.to ?? 0))
        .map((event) =>
          makeSvg(
            'g',
            { transform: `translate(${Math.round(x(event)) + 0.5} 0)`, 'data-seq': event },
            makeSvg('line', { y1: margin.top, y2: base }),
            makeSvg('path', { d: `M0 ${margin.top}h9l-3 3.5 3 3.5h-9z` }),
          ),
        ),
    );
  }

  function drawCursor(): void {
    const place = Math.min(Math.max(x(at), margin.left), width - margin.right);
    cursor.setAttribute('transform', `translate(${place} 0)`);
    const base = height - margin.bottom;
    cursor.firstElementChild?.setAttribute('y1', String(margin.top)); // below the chapters' names
    cursor.firstElementChild?.setAttribute('y2', String(base));
    cursor.lastElementChild?.setAttribute('y', String(base - kHandle / 2));
    element.setAttribute('aria-valuenow', String(shown));
    element.setAttribute('aria-valuemax', String(head));
    element.setAttribute('aria-valuetext', `event ${formatCount(shown)} of ${formatCount(head)}`);
  }

  const seqAt = (clientX: number) => {
    const inside = clientX - element.getBoundingClientRect().left;
    return Math.round(Math.min(Math.max(x.invert(inside), frame?.from ?? 0), Math.min(frame?.to ?? 0, head)));
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    callbacks.seek(seqAt(event.clientX));
  });
  element.addEventListener('pointermove', (event) => {
    if (element.hasPointerCapture(event.pointerId)) callbacks.seek(seqAt(event.clientX));
  });
  element.addEventListener(
    'wheel',
    (event) => {
      if (callbacks.wheelNeedsFocus === true && !event.ctrlKey && !element.matches(':focus')) return;
      event.preventDefault();
      const from = frame?.from ?? 0;
      const to = frame?.to ?? 0;
      const middle = seqAt(event.clientX);
      const factor = Math.exp(event.deltaY * 0.002);
      const span = Math.max(kLeastEvents, (to - from) * factor);
      if (span >= head) setRange(undefined);
      else {
        const start = Math.max(0, Math.round(middle - ((middle - from) / Math.max(1, to - from)) * span));
        setRange({ from: start, to: Math.min(head, Math.round(start + span)) });
      }
    },
    { passive: false },
  );
  element.addEventListener('dblclick', () => setRange(undefined));
  element.addEventListener('keydown', (event) => {
    const tenth = Math.max(1, Math.round((range === undefined ? head : range.to - range.from) / 10));
    const seek = (seq: number) => callbacks.seek(Math.min(Math.max(0, seq), head));
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => callbacks.step(-1),
      ArrowDown: () => callbacks.step(-1),
      ArrowRight: () => callbacks.step(1),
      ArrowUp: () => callbacks.step(1),
      PageUp: () => seek(at - tenth),
      PageDown: () => seek(at + tenth),
      Home: () => seek(0),
      End: () => seek(head),
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  });

  function setRange(next: typeof range): void {
    range = next;
    callbacks.range(next);
  }

  const observer = new ResizeObserver(() => {
    const box = element.getBoundingClientRect();
    if (box.width === width && box.height === height) return;
    width = box.width;
    height = box.height;
    draw();
    callbacks.resized();
  });
  observer.observe(element);

  return {
    element,
    picture: svg,
    /** How many columns a frame should have: one a pixel pair. */
    columns: () => Math.max(1, Math.floor((width - margin.left - margin.right) / 2)),
    /** The handle is where the visitor put it, at once; the slider's value is the moment that is shown. */
    update(
      timeline: TimelineFrame | undefined,
      cursorAt: number,
      newHead: number,
      shownAt: number,
      shownRange: typeof range,
      flagged: readonly number[],
    ): void {
      range = shownRange;
      at = cursorAt;
      shown = shownAt;
      head = newHead;
      const anew = bookmarks !== flagged || (timeline !== undefined && timeline !== frame);
      frame = timeline ?? frame;
      bookmarks = flagged;
      if (anew) draw();
      else drawCursor();
    },
    dispose(): void {
      observer.disconnect();
      element.remove();
    },
  };
}

/** Stripes as cached chunks have them in the map. */
const cachedPattern = () =>
  makeSvg(
    'pattern',
    { id: 'hg-timeline-cached', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(-45)' },
    makeSvg('rect', { class: 'hg-timeline__cached-ground', width: 5, height: 5 }),
    makeSvg('rect', { class: 'hg-timeline__cached-stripe', width: 5, height: 1.8 }),
  );

/** A label cut to the room there is before the next mark; nothing when too little of it would be left. */
function cut(label: string, room: number): string {
  const letters = Math.floor(room / kLetter);
  if (letters >= label.length) return label;
  return letters < 5 ? '' : `${label.slice(0, letters - 1).trimEnd()}…`;
}

/** 0, 200k, 1M */
function shortCount(value: number): string {
  if (!Number.isInteger(value)) return '';
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 10_000 ? `${value / 1000}k` : formatCount(value);
}

/** Ticks at powers of two and their multiples, at most `count` or so of them. */
export function byteTicks(most: number, count: number): number[] {
  if (most <= 1) return [];
  let step = 2 ** Math.floor(Math.log2(Math.max(1, most / Math.max(1, count))));
  while (most / step > Math.max(1, count)) step *= 2;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

// The picture of the time line: curves, axes, chapters, bookmarks and the cursor, each drawn on one scale.
//
//   TL1  The height is of the footprint, or of what is in use where that could not be seen beside it: the footprint then fills it, and
//        a text says how far it reaches.
//
//   frame, width, height ── scaleOf ──▶ scale ──▶ curves, axes, marks, bookmarks, cursor

import { type AxisScale, axisBottom, axisLeft } from 'd3-axis';
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { area } from 'd3-shape';
import { byteTicks, cut, kStripe, shortCount } from '../../base/charts.ts';
import { formatBytes } from '../../base/format.ts';
import { makeSvg } from '../../dom/dom.ts';
import type { Answer } from '../../protocol/answers.ts';
import type { TimelineFrame } from '../../protocol/frames.ts';

const kMargin = { left: 66, right: 8, top: 16, bottom: 22 };
const kNarrowMargin = { left: 10, right: 10, top: 12, bottom: 18 };
const kNarrow = 600;
/** Its type is larger (layout.css). */
const kWideMargin = { ...kMargin, left: 80 };
const kWide = 1800;
/** Height of the cursor's handle, on the axis. */
const kHandle = 8;
const kArrow = 10;
/** Between a note and the line or edge beside it: a bookmark's flag fits in between. */
const kNoteGap = 12;
/** TL1: what is in use is a sixth of the footprint or less, and would hardly be seen beside it. */
const kUnseen = 6;
const kAxisEnd = 20; // nearer to the right edge a number would be cut off

/** Where everything lies. */
export interface TimelineScale {
  readonly width: number;
  readonly height: number;
  readonly margin: typeof kMargin;
  readonly base: number; // of the curves
  readonly x: ScaleLinear<number, number>; // events
  readonly y: ScaleLinear<number, number>; // bytes
  readonly most: number; // bytes
  readonly above: number; // bytes of a footprint that is higher than the scale; 0: none is
}

const greatest = (values: ArrayLike<number> | undefined): number => {
  let most = 0;
  for (let at = 0; at < (values?.length ?? 0); at++) most = Math.max(most, values?.[at] ?? 0);
  return most;
};

export function scaleOf(frame: TimelineFrame | undefined, width: number, height: number): TimelineScale {
  const margin = width < kNarrow ? kNarrowMargin : width < kWide ? kMargin : kWideMargin;
  const from = frame?.from ?? 0;
  const to = Math.max(frame?.to ?? 0, from + 1);
  const used = Math.max(greatest(frame?.inUseMax), greatest(frame?.occupiedMax));
  const all = Math.max(1, used, greatest(frame?.footprint));
  const isUnseen = used > 0 && all > used * kUnseen; // TL1
  const most = isUnseen ? used * 1.15 : all;
  const base = height - margin.bottom;
  const x = scaleLinear([from, to], [margin.left, Math.max(margin.left + 1, width - margin.right)]);
  return {
    width,
    height,
    margin,
    base,
    x,
    y: scaleLinear([0, most], [base, margin.top]).clamp(true),
    most,
    above: isUnseen ? all : 0,
  };
}

/** TL1: what fills the height and is higher still. */
export const aboveText = ({ above }: TimelineScale): string =>
  above === 0 ? '' : `footprint ${formatBytes(above)}, above the scale`;

export function createTimelinePicture() {
  const footprintPath = makeSvg('path', { class: 'hg-timeline__footprint' });
  const cachedPath = makeSvg('path', { class: 'hg-timeline__cached', fill: 'url(#hg-timeline-cached)' });
  const inUsePath = makeSvg('path', { class: 'hg-timeline__in-use' });
  const leastPath = makeSvg('path', { class: 'hg-timeline__least' });
  const axisX = makeSvg('g', { class: 'hg-timeline__axis' });
  const axisY = makeSvg('g', { class: 'hg-timeline__axis' });
  const marks = makeSvg('g', { class: 'hg-timeline__marks' });
  const answered = makeSvg('path', { class: 'hg-timeline__answer' });
  const returnable = makeSvg('text', { class: 'hg-timeline__note hg-timeline__returnable' });
  const above = makeSvg('text', { class: 'hg-timeline__note' });
  const flags = makeSvg('g', { class: 'hg-timeline__bookmarks' });
  const verified = makeSvg('path', { class: 'hg-timeline__verified' });
  const handle = makeSvg('rect', { x: -4, width: 8, height: kHandle, rx: 1.5 });
  const arrow = makeSvg('path', { class: 'hg-timeline__beside' });
  const cursor = makeSvg('g', { class: 'hg-timeline__cursor' }, makeSvg('line'), handle, arrow);
  const svg = makeSvg(
    'svg',
    { 'aria-hidden': 'true' },
    makeSvg('defs', {}, cachedPattern()),
    footprintPath,
    cachedPath,
    inUsePath,
    leastPath,
    answered,
    marks,
    flags,
    verified,
    axisX,
    axisY,
    above,
    returnable,
    cursor,
  );
  return {
    svg,
    draw(frame: TimelineFrame | undefined, scale: TimelineScale): void {
      svg.setAttribute('width', String(scale.width));
      svg.setAttribute('height', String(scale.height));
      const path = pathOf(frame, scale);
      footprintPath.setAttribute('d', path(frame?.footprint, undefined));
      const holds = frame?.occupiedMax.some((value, index) => value !== frame?.inUseMax[index]) ?? false;
      cachedPath.setAttribute('d', holds ? path(frame?.occupiedMax, undefined) : '');
      inUsePath.setAttribute('d', path(frame?.inUseMax, undefined));
      leastPath.setAttribute('d', path(frame?.inUseMax, frame?.inUseMin));
      drawAxes(axisX, axisY, scale);
      placeNote(above, aboveText(scale), scale.margin.left + kNoteGap, scale);
      const ticks = (frame?.verified ?? []).map((seq) => `M${Math.round(scale.x(seq)) + 0.5} ${scale.base}v-6`);
      verified.setAttribute('d', ticks.join(''));
      drawMarks(marks, frame?.marks ?? [], scale);
    },
    /** A flag each, below the chapters' names. */
    drawBookmarks(frame: TimelineFrame | undefined, bookmarks: readonly number[], scale: TimelineScale): void {
      const shown = bookmarks.filter((event) => event >= (frame?.from ?? 0) && event <= (frame?.to ?? 0));
      flags.replaceChildren(...shown.map((event) => flagAt(event, scale)));
    },
    /** Beside the moment that it is of, on the side with more of the time line. */
    drawReturnable(text: string, at: number, scale: TimelineScale): void {
      const place = Math.min(Math.max(scale.x(at), scale.margin.left), scale.width - scale.margin.right);
      const isLate = place > scale.width / 2;
      returnable.setAttribute('text-anchor', isLate ? 'end' : 'start');
      placeNote(returnable, text, place + (isLate ? -kNoteGap : kNoteGap), scale);
    },
    /** A line where the cause is; a tick where each of the blocks was made. */
    drawAnswer(answer: Answer | undefined, { x, base, margin }: TimelineScale): void {
      const [least = 0, most = 0] = x.domain();
      const at = (event: number, line: string) =>
        event >= least && event <= most ? `M${Math.round(x(event)) + 0.5} ${line}` : '';
      const { blocks = [], event = 0 } = answer?.evidence ?? {};
      const births = new Set(blocks.map(({ born_event }) => at(born_event, `${base}v-8`)));
      const cause = answer?.ask === 'grew' ? at(event, `${margin.top}V${base}`) : '';
      answered.setAttribute('d', answer === undefined ? '' : [...births, cause].join(''));
    },
    /** A moment that the stretch does not hold is no place in it: an arrow at the edge points to where it lies. */
    drawCursor(at: number, { x, width, margin, base }: TimelineScale): void {
      const place = Math.min(Math.max(x(at), margin.left), width - margin.right);
      const [from = 0, to = 0] = x.domain();
      const beside = at < from ? -1 : at > to ? 1 : 0;
      cursor.classList.toggle('hg-timeline__cursor--beside', beside !== 0);
      arrow.setAttribute('d', beside === 0 ? '' : arrowAt(base, beside));
      cursor.setAttribute('transform', `translate(${place} 0)`);
      cursor.firstElementChild?.setAttribute('y1', String(margin.top)); // below the chapters' names
      cursor.firstElementChild?.setAttribute('y2', String(base));
      handle.setAttribute('y', String(base - kHandle / 2));
    },
  };
}

/** At the top, over the curves; a narrow time line is too low for it. */
function placeNote(note: SVGTextElement, text: string, x: number, { width, margin }: TimelineScale): void {
  note.textContent = width < kNarrow ? '' : text;
  note.setAttribute('x', String(Math.round(x)));
  note.setAttribute('y', String(margin.top + 11));
}

/** Right inside of the edge, in the middle of the height. */
const arrowAt = (base: number, side: -1 | 1): string =>
  `M0 ${Math.round(base / 2)}l${-side * kArrow} ${-kArrow}v${2 * kArrow}z`;

/** The outline between two series of columns; without the lower one, down to nothing. */
function pathOf(frame: TimelineFrame | undefined, { x, y }: TimelineScale) {
  const from = frame?.from ?? 0;
  const to = Math.max(frame?.to ?? 0, from + 1);
  const columns = frame?.columns ?? 0;
  const columnX = (index: number) => x(from + ((to - from) * (index + 0.5)) / Math.max(1, columns));
  return (high: Float64Array | undefined, low: Float64Array | undefined): string =>
    area<number>()
      .x((_, index) => columnX(index))
      .y0((_, index) => y(low?.[index] ?? 0))
      .y1((_, index) => y(high?.[index] ?? 0))(high ?? []) ?? '';
}

function drawAxes(
  axisX: SVGGElement,
  axisY: SVGGElement,
  { x, y, width, height, margin, base, most }: TimelineScale,
): void {
  const scaleX: AxisScale<number> = x;
  select(axisX)
    .attr('transform', `translate(0 ${base})`)
    .call(
      axisBottom<number>(scaleX)
        .ticks(Math.max(2, Math.floor(width / 180)))
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
}

function drawMarks(marks: SVGGElement, all: TimelineFrame['marks'], { x, width, base }: TimelineScale): void {
  select(marks)
    .selectChildren<SVGGElement, unknown>('g')
    .data(all)
    .join((enter) => {
      const group = enter.append('g');
      group.append('line');
      group.append('text');
      return group;
    })
    .attr('data-seq', (mark) => mark.seq)
    .attr('transform', (mark) => `translate(${Math.round(x(mark.seq)) + 0.5} 0)`)
    .each(function (mark, index) {
      const next = all[index + 1];
      const space = (next === undefined ? width : Math.min(x(next.seq), width)) - x(mark.seq) - 10;
      const group = select(this);
      group.select('line').attr('y1', 2).attr('y2', base);
      group.select('text').attr('x', 5).attr('y', 11).text(cut(mark.label, space));
    });
}

const flagAt = (event: number, { x, margin, base }: TimelineScale): SVGGElement =>
  makeSvg(
    'g',
    { transform: `translate(${Math.round(x(event)) + 0.5} 0)`, 'data-seq': event },
    makeSvg('line', { y1: margin.top, y2: base }),
    makeSvg('path', { d: `M0 ${margin.top}h9l-3 3.5 3 3.5h-9z` }),
  );

/** Stripes as cached chunks have them in the map. */
const cachedPattern = () =>
  makeSvg(
    'pattern',
    { id: 'hg-timeline-cached', ...kStripe.pattern },
    makeSvg('rect', { class: 'hg-timeline__cached-ground', ...kStripe.ground }),
    makeSvg('rect', { class: 'hg-timeline__cached-stripe', ...kStripe.stripe }),
  );

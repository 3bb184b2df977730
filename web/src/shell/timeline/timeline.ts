// Time below everything: bytes in use (least to most in each column), above them what malloc caches, on the footprint, chapters as marks, green ticks
// where walking the real heap agreed, and the amber handle of the cursor.
//
//   drag or click   moves the cursor              wheel over it, + and -   narrow or widen the stretch of time shown
//   Shift and drag  shows the stretch between     double click             shows all of it again
//   arrow keys      step (PageUp, PageDown: a tenth), Home, End
//
// A moment outside of the stretch is an arrow at its edge; as it moves, the stretch goes along (moment/range_along.ts).
// The wide picture is redrawn only when its data came anew; the cursor is one transform.

import './timeline.css';
import { formatCount } from '../../base/format.ts';
import { make } from '../../dom/dom.ts';
import type { Answer } from '../../protocol/answers.ts';
import type { TimelineFrame } from '../../protocol/frames.ts';
import { type Hand, listenForKeys, listenForPointer } from './timeline_hand.ts';
import { createTimelinePicture, scaleOf } from './timeline_picture.ts';
import type { TimelineRange } from './timeline_range.ts';
import { createStretch } from './timeline_stretch.ts';

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

const kSlider = {
  class: 'hg-timeline',
  role: 'slider',
  tabindex: 0,
  'aria-label': 'Time, in events',
  'aria-valuemin': 0,
  'aria-valuemax': 0,
  'aria-valuenow': 0,
};

/** What a help says of all that. */
export const kTimelineText =
  'Drag to move in time. Shift and drag over a stretch to look at it alone: Sites, Time range, then says what was allocated, freed and ' +
  'kept in it. The wheel, or plus and minus, shows less or more of the time; a double click shows all. Arrow keys step, Page up and ' +
  'Page down move by a tenth.';

export function createTimeline(parent: Element, callbacks: TimelineCallbacks) {
  const picture = createTimelinePicture();
  const stretch = createStretch();
  picture.svg.append(stretch.element);
  const element = make('div', kSlider, picture.svg);
  parent.append(element);

  let frame: TimelineFrame | undefined;
  let [at, shown, head, returnable] = [0, 0, 0, ''];
  let scale = scaleOf(undefined, 0, 0);
  let bookmarks: readonly number[] = [];
  let range: TimelineRange;
  let answer: Answer | undefined;

  function draw(width = scale.width, height = scale.height): void {
    scale = scaleOf(frame, width, height);
    picture.draw(frame, scale);
    picture.drawBookmarks(frame, bookmarks, scale);
    picture.drawAnswer(answer, scale);
    drawCursor();
  }

  function drawCursor(): void {
    picture.drawCursor(at, scale);
    picture.drawReturnable(returnable, at, scale);
    element.setAttribute('aria-valuenow', String(shown));
    element.setAttribute('aria-valuemax', String(head));
    element.setAttribute('aria-valuetext', momentText(shown, head, returnable));
  }

  function setRange(next: TimelineRange): void {
    range = next;
    callbacks.range(next);
  }

  const now = () => ({ from: frame?.from ?? 0, to: frame?.to ?? 0, at, head, range });
  const hand: Hand = {
    now,
    eventAt: (inside) => scale.x.invert(inside),
    setRange,
    mark: (chosen) => stretch.draw(chosen, scale),
  };
  listenForPointer(element, callbacks, hand);
  listenForKeys(element, callbacks, now, setRange);
  const observer = new ResizeObserver(() => {
    const { width, height } = element.getBoundingClientRect();
    if (width === scale.width && height === scale.height) return;
    draw(width, height);
    callbacks.resized();
  });
  observer.observe(element);

  return {
    element,
    picture: picture.svg,
    /** How many columns a frame should have: one a pixel pair. */
    columns: () => Math.max(1, Math.floor((scale.width - scale.margin.left - scale.margin.right) / 2)),
    /** The handle is where the visitor put it, at once; the slider's value, and what could go back, are of the moment that is shown. */
    update(
      timeline: TimelineFrame | undefined,
      cursorAt: number,
      newHead: number,
      shownAt: number,
      shownRange: TimelineRange,
      flagged: readonly number[],
      couldGoBack: string,
    ): void {
      range = shownRange;
      [at, shown, head, returnable] = [cursorAt, shownAt, newHead, couldGoBack];
      const anew = bookmarks !== flagged || (timeline !== undefined && timeline !== frame);
      frame = timeline ?? frame;
      bookmarks = flagged;
      if (anew) draw();
      else drawCursor();
    },
    /** What the answer is about: a call, or when its blocks were made. */
    setAnswer(next: Answer | undefined): void {
      if (next === answer) return;
      answer = next;
      picture.drawAnswer(answer, scale);
    },
    dispose(): void {
      observer.disconnect();
      element.remove();
    },
  };
}

const momentText = (shown: number, head: number, returnable: string): string =>
  `event ${formatCount(shown)} of ${formatCount(head)}${returnable === '' ? '' : `; ${returnable}`}`;

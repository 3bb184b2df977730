// What <hg-heap-map controls> has below its map: steps and play, the numbers, the time line, and what the colours mean.
//
//   EC1  The element's `seq` is the moment: the controls set it, and show what the frame that came says.
//   EC2  Playing ends at the newest event, and then the newest one is followed, as without controls.

import { seq } from '../base/brand.ts';
import { formatBytes, formatCount } from '../base/format.ts';
import { iconButton, make, setText } from '../dom/dom.ts';
import { speedFor, tick } from '../moment/playback.ts';
import type { Frame, TimelineFrame } from '../protocol/frames.ts';
import type { FrameRequest } from '../protocol/messages.ts';
import buttonsSheet from '../shell/buttons.css?inline';
import legendSheet from '../shell/legend.css?inline';
import { createLegend } from '../shell/legend.ts';
import { returnableText } from '../shell/status/returnable_text.ts';
import timelineSheet from '../shell/timeline/timeline.css?inline';
import { createTimeline } from '../shell/timeline/timeline.ts';
import controlsSheet from './element_controls.css?inline';

export const kControlsSheet = `${buttonsSheet}\n${timelineSheet}\n${legendSheet}\n${controlsSheet}`;

export interface ElementControlsCallbacks {
  /** undefined: the newest event, and those that follow. */
  seek(event: number | undefined): void;
  /** Another frame is wanted. */
  changed(): void;
}

const kPaths = {
  first: 'M3 3h1.6v10H3zM13 3v10L5.6 8z',
  back: 'M11 3v10L4.5 8z',
  play: 'M4.5 2.5v11L13 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  on: 'M5 3v10l6.5-5z',
  last: 'M11.4 3H13v10h-1.6zM3 3v10l7.4-5z',
};

export type ElementControls = ReturnType<typeof createElementControls>;

export function createElementControls(parent: Element, callbacks: ElementControlsCallbacks) {
  let at = 0;
  let head = 0;
  let carry = 0;
  let before: number | undefined;
  let playing = 0; // the animation frame that goes on, while it plays
  let range: { readonly from: number; readonly to: number } | undefined;
  let asked = '';
  let shown: TimelineFrame | undefined;

  const seek = (event: number) => callbacks.seek(Math.min(Math.max(0, Math.round(event)), head));
  const still = (): void => {
    cancelAnimationFrame(playing);
    playing = 0;
    before = undefined;
    name(play, false);
  };
  const halt = (then: () => void) => () => {
    still();
    then();
  };
  const play = iconButton(kPaths.play, 'Play', () => (playing === 0 ? start() : halt(() => seek(at))()));
  const { row, say } = makeRow(play, {
    first: halt(() => seek(0)),
    back: halt(() => seek(at - 1)),
    on: halt(() => seek(at + 1)),
    last: halt(() => callbacks.seek(undefined)),
  });
  const { element, place } = addTo(parent, row);
  const timeline = createTimeline(place, {
    seek: (event) => halt(() => seek(event))(),
    step: (by) => halt(() => seek(at + by))(),
    range(next) {
      range = next;
      callbacks.changed();
    },
    resized: callbacks.changed,
    wheelNeedsFocus: true,
  });
  createLegend(element);

  function start(): void {
    at = at >= head ? 0 : at;
    seek(at);
    carry = 0;
    playing = requestAnimationFrame(beat);
    name(play, true);
  }

  function beat(now: number): void {
    const next = tick(carry, before === undefined ? 0 : (now - before) / 1000, speedFor(head));
    before = now;
    carry = next.carry;
    at = Math.min(at + next.steps, head);
    if (at >= head) {
      still();
      callbacks.seek(undefined); // EC2
      return;
    }
    if (next.steps > 0) seek(at);
    playing = requestAnimationFrame(beat);
  }

  return {
    element,
    /** Of the time line, when it is another one than the last. */
    wants(): FrameRequest['timeline'] {
      const columns = timeline.columns();
      const wanted = `${columns}/${head}/${range?.from}-${range?.to}`;
      if (wanted === asked) return undefined;
      asked = wanted;
      return { from: seq(range?.from ?? 0), to: range === undefined ? 'head' : seq(range.to), columns };
    },
    show({ status, timeline: next }: Frame): void {
      const grown = status.head !== head;
      head = status.head;
      if (playing === 0) at = status.seq;
      shown = next ?? shown;
      say(status);
      timeline.update(shown, at, head, status.seq, range, [], returnableText(status));
      if (grown) callbacks.changed(); // the time line is longer now
    },
    /** Another source is shown. */
    forget(): void {
      still();
      asked = '';
      range = shown = undefined;
    },
    dispose(): void {
      still();
      timeline.dispose();
    },
  };
}

interface Steps {
  readonly first: () => void;
  readonly back: () => void;
  readonly on: () => void;
  readonly last: () => void;
}

/** The line with the buttons, where the moment is, and the numbers. */
function makeRow(play: HTMLButtonElement, { first, back, on, last }: Steps) {
  const where = make('span', { class: 'hg-controls__where' });
  const numbers = make('span', { class: 'hg-controls__numbers' });
  const buttons = make(
    'div',
    { class: 'hg-controls__buttons', role: 'group', 'aria-label': 'Playback' },
    iconButton(kPaths.first, 'First event', first),
    iconButton(kPaths.back, 'One event back', back),
    play,
    iconButton(kPaths.on, 'One event on', on),
    iconButton(kPaths.last, 'Newest event', last),
  );
  return {
    row: make('div', { class: 'hg-controls__row' }, buttons, where, numbers),
    say({ seq, head, inUse, footprint }: Frame['status']): void {
      setText(where, `event ${formatCount(seq)} / ${formatCount(head)}`);
      setText(numbers, `in use ${formatBytes(inUse)} · footprint ${formatBytes(footprint)}`);
    },
  };
}

/** What the button does when it is pressed. */
function name(play: HTMLButtonElement, isPlaying: boolean): void {
  const text = isPlaying ? 'Pause' : 'Play';
  play.title = text;
  play.setAttribute('aria-label', text);
  play.querySelector('path')?.setAttribute('d', isPlaying ? kPaths.pause : kPaths.play);
}

function addTo(parent: Element, row: HTMLElement) {
  const place = make('div', { class: 'hg-controls__time' });
  const element = make('div', { class: 'hg-controls', part: 'controls' }, row, place);
  parent.append(element);
  return { element, place };
}

// The beat of the page: decides at each animation frame which moment to show, asks the engine for it, and hands over
// what comes. Nothing is asked while nothing changes.
//
//   F1  One frame is under way at a time; what happens meanwhile (steps, seeks, the clock) is added up for the next.
//   F2  The engine's answer moves the cursor only if nobody moved it since the question, or put it where it stood.
//   F3  At the end of a finished trace playing stops and the cursor follows the newest event.
//   F4  A moment that lies ahead of a source that is still running is waited for: the first frame shows that something comes, and no
//       other is asked for until the source has come so far, since each would keep the source waiting.
//   F5  What was asked of a source is not shown once another one is shown.

import { type Seq, seq } from '../base/brand.ts';
import type { Frame } from '../protocol/frames.ts';
import type { At, FrameRequest } from '../protocol/messages.ts';
import { createPlayClock } from './play_clock.ts';
import type { State, StepUnit, Store } from './state.ts';

export interface FrameLoopOptions {
  readonly store: Store;
  ask(request: FrameRequest): Promise<Frame | undefined>;
  /** There is a source to ask about. Who makes it true calls invalidate(). */
  ready(): boolean;
  /** Events there are. */
  head(): Seq;
  /** More are being written, or the moment ahead is still looked for. */
  running(): boolean;
  /** A frame will be asked for. */
  stirred(): void;
}

/** What gives the questions and takes the answers. */
export interface FrameEnds {
  /** All of the request but the moment. */
  request(): Omit<FrameRequest, 'at'>;
  show(frame: Frame): void;
  failed(error: unknown): void;
}

export interface FrameLoop {
  /** Before this nothing is asked. */
  connect(ends: FrameEnds): void;
  /** Something a frame depends on has changed. */
  invalidate(): void;
  step(by: -1 | 1, unit: StepUnit): void;
  /** The visitor put the cursor somewhere (F2). */
  stood(): void;
  /** Another source is shown (F5). */
  forget(): void;
  /** A frame is on its way, or will be asked for. */
  isBusy(): boolean;
  dispose(): void;
}

export function createFrameLoop(options: FrameLoopOptions): FrameLoop {
  const { store } = options;
  let ends: FrameEnds | undefined;
  let dirty = true;
  let underWay = false;
  let scheduled = 0;
  const clock = createPlayClock();
  let manual: { by: number; unit: StepUnit } | undefined;
  let [sources, isFirst] = [0, true]; // shown so far; no frame of the last one has come yet
  let stands = 0; // how often the visitor put the cursor somewhere
  let disposed = false;

  function schedule(): void {
    if (scheduled !== 0 || disposed) return;
    options.stirred();
    scheduled = requestAnimationFrame(beat);
  }

  function beat(now: number): void {
    scheduled = 0;
    const state = store.get();
    clock.beat(now, state.playing ? state.speed : undefined);
    if (state.playing) schedule();
    const wanted = dirty || manual !== undefined || clock.isDue();
    const waits = !isFirst && manual === undefined && isAhead(options, state); // F4
    if (ends !== undefined && !underWay && options.ready() && wanted && !waits) void askNow(ends);
  }

  function moment(): At {
    const state = store.get();
    const step = manual;
    manual = undefined;
    if (step !== undefined) {
      clock.take();
      return { to: 'step', from: state.cursor, unit: step.unit, by: step.by };
    }
    if (state.follow) return { to: 'head' };
    const steps = clock.take();
    if (steps === 0) return { to: 'seq', seq: state.cursor };
    if (state.unit === 'operation') return { to: 'step', from: state.cursor, unit: 'operation', by: steps };
    return { to: 'seq', seq: seq(Math.min(state.cursor + steps, options.head())) };
  }

  async function askNow({ request, show, failed }: FrameEnds): Promise<void> {
    const at = moment();
    const asked = store.get();
    const [source, stood] = [sources, stands];
    dirty = false;
    underWay = true;
    try {
      const frame = await options.ask({ ...request(), at });
      if (frame === undefined || disposed || source !== sources) return;
      isFirst = false;
      if (stood === stands) settle(options, frame, asked.cursor);
      show(frame);
    } catch (error) {
      if (!disposed && source === sources) failed(error);
    } finally {
      underWay = false;
      if (dirty || manual !== undefined) schedule();
    }
  }

  return {
    connect(to) {
      ends = to;
    },
    invalidate() {
      dirty = true;
      schedule();
    },
    step(by, unit) {
      manual = manual?.unit === unit ? { by: manual.by + by, unit } : { by, unit };
      schedule();
    },
    stood() {
      stands++;
      dirty = true;
      schedule();
    },
    forget() {
      sources++;
      isFirst = true;
    },
    isBusy: () => underWay || scheduled !== 0,
    dispose() {
      disposed = true;
      cancelAnimationFrame(scheduled);
    },
  };
}

/** F4 */
const isAhead = ({ head, running }: FrameLoopOptions, { playing, follow, cursor }: State): boolean =>
  !playing && !follow && cursor > head() && running();

function settle({ store, running }: FrameLoopOptions, { status }: Frame, askedCursor: Seq): void {
  const state = store.get();
  if (state.cursor !== askedCursor) return; // F2
  const { seq: shown, head } = status;
  const waits = !state.playing && !state.follow && askedCursor > shown && running(); // F4
  if (!waits) store.set({ cursor: shown });
  const ended = shown >= head && !running();
  if (state.playing && ended && head > 0) store.set({ playing: false, follow: true }); // F3
}

// The bar at the bottom: the steps, what the map's colours mean, and the time line.
//
//   bottom.1  Until the visitor chooses a speed, it follows from how long the source is.

import { seq } from '../base/brand.ts';
import { createDisposal } from '../base/disposal.ts';
import { make } from '../dom/dom.ts';
import type { Actions } from '../moment/actions.ts';
import { isAhead } from '../moment/first_moment.ts';
import { kSpeeds, speedFor, speedText } from '../moment/playback.ts';
import type { Progress } from '../moment/session.ts';
import type { State, Store } from '../moment/state.ts';
import type { Answer } from '../protocol/answers.ts';
import type { Frame, TimelineFrame } from '../protocol/frames.ts';
import { createLegend } from './legend.ts';
import { returnableText } from './status/returnable_text.ts';
import { createTimeline } from './timeline/timeline.ts';
import { createTransport } from './transport/transport.ts';

export interface BottomBarOptions {
  readonly parent: Element;
  readonly store: Store;
  readonly actions: Actions;
  /** The wheel is the surrounding page's. */
  readonly wheelNeedsFocus: boolean;
  /** Another width: the time line wants other columns. */
  resized(): void;
}

export function createBottomBar({ parent, store, actions, wheelNeedsFocus, resized }: BottomBarOptions) {
  let chosenSpeed = false;
  const row = make('div', { class: 'hg-bottom__row' });
  parent.append(row);
  const transport = createTransport(row, kSpeeds, speedText, {
    first: actions.first,
    last: actions.last,
    step: (by, other) => actions.step(by, (store.get().unit === 'event') !== other ? 'event' : 'operation'),
    togglePlay: actions.togglePlay,
    bookmark: actions.bookmark,
    speed(speed) {
      chosenSpeed = true;
      store.set({ speed });
    },
    unit: (unit) => store.set({ unit }),
  });
  const legend = createLegend(row);
  const timeline = createTimeline(parent, {
    seek: actions.seek,
    step: (by) => actions.step(by, store.get().unit),
    range: (range) => store.set({ range }),
    resized,
    wheelNeedsFocus,
  });

  const owned = createDisposal();
  for (const view of [transport, timeline]) owned.own(view);

  return {
    columns: timeline.columns,
    picture: timeline.picture,
    /** bottom.1 */
    onProgress({ done, head }: Progress): void {
      if (!chosenSpeed && done > 0.02) store.set({ speed: speedFor(head / done) });
    },
    update(
      state: State,
      progress: Progress,
      frame: Frame | undefined,
      shown: TimelineFrame | undefined,
      answer: Answer | undefined,
    ): void {
      const head = Math.max(frame?.status.head ?? 0, progress.head);
      const { playing, speed, unit, bookmarks, range } = state;
      const cursor = isAhead(state) ? seq(head) : state.cursor;
      transport.update({
        cursor,
        head,
        operations: frame?.status.operations ?? 0,
        operationsTotal: frame?.status.operationsTotal ?? 0,
        playing,
        running: progress.running,
        speed,
        unit,
        bookmarked: bookmarks.includes(cursor),
      });
      legend.update(frame?.status);
      const couldGoBack = returnableText(frame?.status);
      timeline.update(shown, cursor, head, frame?.status.seq ?? 0, range, bookmarks, couldGoBack);
      timeline.setAnswer(answer);
    },
    dispose: owned.dispose,
  };
}

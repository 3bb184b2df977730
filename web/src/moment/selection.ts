// What follows from the choices: the scenario that is shown, the chapter the moment lies in.

import type { TimelineFrame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import type { Source } from './state.ts';

/** What the engine says of the scenario that is shown; undefined: something else is. */
export const infoOf = (source: Source, scenarios: readonly ScenarioInfo[]): ScenarioInfo | undefined =>
  source.kind === 'scenario' ? scenarios.find(({ id }) => id === source.id) : undefined;

/** The program that is open, if one is. */
export function programOf(source: Source, scenarios: readonly ScenarioInfo[]): ScenarioInfo | undefined {
  const info = infoOf(source, scenarios);
  return info?.program === undefined ? undefined : info;
}

/** The chapter a moment lies in: the last mark at or before it. Empty before the first one; undefined where no chapters are. */
export function chapterAt(timeline: TimelineFrame | undefined, cursor: number): string | undefined {
  if (timeline === undefined || timeline.marks.length === 0) return undefined;
  return timeline.marks.findLast((mark) => mark.seq <= cursor)?.label ?? '';
}

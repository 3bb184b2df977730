// The handles that nobody deleted, for a report: at the end, and of those made between two marks, at the second.

import { handlesOf } from '../answers/handles.ts';
import type { Model } from '../model/time/model.ts';
import type { HandleFigures, HandleGroup } from '../protocol/handles.ts';
import { kMostLetters, kMostStackRows } from './limits.ts';
import type { Handles } from './report_types.ts';
import type { Between } from './trace_places.ts';

export function handleFacts(model: Model, between: Between | undefined): Handles {
  const end = model.history.head.seq;
  const facts = (from: number, to: number) => bounded(handlesOf(model.history, model.at(to).state, { from, to }));
  const isReached = between !== undefined && between.to.event <= end;
  return { ...facts(0, end), between: isReached ? facts(between.from.event, between.to.event) : null };
}

/** The answer has no more groups than a table has rows (answers/limits.ts). */
const bounded = (figures: HandleFigures) => ({
  ...figures,
  groups: figures.groups.map(row),
  collected_groups: figures.collected_groups.map(row),
});

const cut = (text: string): string => text.slice(0, kMostLetters);

const row = (group: HandleGroup) => ({
  ...group,
  class: cut(group.class),
  function: cut(group.function),
  file: cut(group.file),
  stack: group.stack.slice(0, kMostStackRows).map(cut),
  addresses: [...group.addresses],
});

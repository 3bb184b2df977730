// An experiment as a scenario: some of its rows, one a chapter, with little enough work to be watched.
//
//   W1  A row that uses the C library's malloc or a standard allocator leaves no events, so none is chosen.
//   W2  A row is named by what it does (way, size, threads), never by its number: programs may get more rows.
//   W3  divisor makes the iterations fewer, not the sizes (experiment.h, X2); it is chosen so that a chapter has some
//       5,000 to 60,000 events.

import type { ExperimentId, ExperimentRow } from '../protocol/experiments.ts';
import { progressOf } from './moves.ts';
import type { Scenario } from './scenario.ts';

export interface WatchedRow {
  readonly title: string; // of the chapter
  readonly way: string;
  readonly size?: number; // undefined: the only one of this way
  readonly threads?: number;
  readonly divisor: number;
}

export interface WatchedExperiment {
  readonly id: ExperimentId;
  readonly title: string;
  readonly summary: string;
  readonly rows: readonly WatchedRow[];
}

export function watchedExperiment({ id, title, summary, rows }: WatchedExperiment): Scenario {
  return {
    info: {
      id: `experiment_${id.toLowerCase()}`,
      title: `${id} ${title}`,
      summary,
      chapters: rows.map((row) => row.title),
      experiment: id,
    },
    program: 'experiments',
    *run({ experiments }) {
      if (experiments === undefined) throw new Error('the module has no experiments');
      const progress = progressOf(rows.length);
      for (const [chapter, row] of rows.entries()) {
        const found = findRow(experiments.rows, id, row);
        yield progress.begin(chapter);
        const threads = experiments.begin(found, row.divisor);
        for (let thread = 1; thread <= threads; ++thread) {
          yield progress.within(thread / (threads + 1));
          experiments.thread(thread);
        }
        yield progress.within(0.9);
        experiments.end();
        yield progress.within(1);
      }
    },
  };
}

/** W2 */
function findRow(rows: readonly ExperimentRow[], id: ExperimentId, { way, size, threads }: WatchedRow): ExperimentRow {
  const found = rows.filter(
    (row) =>
      row.experiment === id &&
      row.way === way &&
      (size === undefined || row.size === size) &&
      (threads === undefined || row.threads === threads),
  );
  const [row] = found;
  if (row === undefined || found.length > 1) {
    const which = [way, size, threads].filter((part) => part !== undefined).join(', ');
    throw new Error(`the programs have ${found.length} rows ${id}, ${which}`);
  }
  return row;
}

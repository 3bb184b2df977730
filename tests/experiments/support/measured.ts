// An experiment with little work, measured twice, and what must hold for every one.

import { expect } from 'vitest';
import { type Measured, measure } from '../../../web/src/experiments/measure.ts';
import { find } from '../../../web/src/experiments/report.ts';
import type { Threads } from '../../../web/src/experiments/threads.ts';
import type { ExperimentId, ExperimentRow, Figures } from '../../../web/src/protocol/experiments.ts';

export interface Sample extends Measured {
  /** Figures of the row that is wanted; throws when there is none. */
  of(wanted: Partial<ExperimentRow>): Figures;
  figure(wanted: Partial<ExperimentRow>, name: string): number;
}

export async function sample(id: ExperimentId, divisor: number, threads?: Threads): Promise<Sample> {
  const measured = await measure(id, { rounds: 2, divisor, threads, noThreads: 'no threads' });
  const of = (wanted: Partial<ExperimentRow>): Figures => {
    const found = find(measured.results, wanted);
    if (found === undefined) throw new Error(`${id} has no row ${JSON.stringify(wanted)}`);
    return found.figures;
  };
  const figure = (wanted: Partial<ExperimentRow>, name: string): number => {
    const value = of(wanted)[name];
    if (value === undefined) throw new Error(`${id}, ${JSON.stringify(wanted)} tells no ${name}`);
    return value;
  };
  return { ...measured, of, figure };
}

/** No errors, all memory back, the same counts in both rounds, and a whole report of it. */
export function expectSound({ results, report }: Sample): void {
  expect(results.length).toBeGreaterThan(1);
  expect(report.done).toBe(report.of);
  for (const { row, figures, unstable } of results) {
    const which = `${row.experiment} ${row.way} ${row.size} ${row.threads}`;
    expect(figures['errors'] ?? 0, which).toBe(0);
    expect(figures['bytes_left'], which).toBe(0);
    expect(unstable, which).toEqual([]);
  }
  expect(report.tables.length).toBeGreaterThan(0);
  for (const { title, head, rows } of report.tables) {
    expect(rows.length, title).toBeGreaterThan(0);
    for (const row of rows) expect(row.length, title).toBe(head.length);
    // A column without one figure is a name that the program does not tell.
    for (const [column, name] of head.entries()) {
      expect(
        rows.some((row) => row[column] !== ''),
        `${title}: ${name}`,
      ).toBe(true);
    }
  }
  expect(report.charts.length).toBeGreaterThan(0);
  for (const { title, categories, series } of report.charts) {
    for (const one of series) {
      expect(one.values.length, title).toBe(categories.length);
      expect(one.document.length, title).toBe(categories.length);
      expect(
        one.values.some((value) => value !== undefined),
        `${title}: ${one.name}`,
      ).toBe(true);
    }
  }
}

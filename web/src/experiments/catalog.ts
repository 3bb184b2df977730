// Every experiment's title, question, tables, charts and findings: a file for each document, and what holds for all here.

import type { ExperimentId, ExperimentReport, RowResult } from '../protocol/experiments.ts';
import { kCatalogA } from './catalog_a.ts';
import { kCatalogB } from './catalog_b.ts';
import { kCatalogC } from './catalog_c.ts';
import { kCatalogD } from './catalog_d.ts';
import { kCatalogE } from './catalog_e.ts';
import { type CatalogEntry, figure } from './report.ts';
import type { Progress } from './runner.ts';

export const kCatalog: Readonly<Record<ExperimentId, CatalogEntry>> = {
  ...kCatalogA,
  ...kCatalogB,
  ...kCatalogC,
  ...kCatalogD,
  ...kCatalogE,
};

const kNotBuilt =
  'Not in this build: the programs need Boost, whose headers were not found (node tools/setup.mjs boost).';

/** The report of what is measured by now. `noThreads`: said when rows with threads are left out. */
export function reportOf(id: ExperimentId, progress: Progress, divisor: number, noThreads: string): ExperimentReport {
  const { results, done, of, leftOut } = progress;
  const { title, question, tables, charts, findings } = kCatalog[id];
  return {
    id,
    title: divisor > 1 ? `${title} (1/${divisor} of the iterations)` : title,
    question,
    done,
    of,
    tables: results.length === 0 ? [] : tables(results),
    charts: charts(results),
    findings: [
      ...(leftOut > 0 ? [noThreads] : []),
      ...(leftOut === 0 && of === 0 ? [kNotBuilt] : []),
      ...results.flatMap(wrongWith),
      ...findings(results),
    ],
  };
}

/** What must not be: X1, X3 and X4 of programs/experiments/experiment.h. */
function wrongWith(result: RowResult): string[] {
  const { way, size, threads } = result.row;
  const which = `${way}, ${size}${threads > 0 ? `, ${threads} threads` : ''}`;
  const errors = figure(result, 'errors') ?? 0;
  const left = figure(result, 'bytes_left') ?? 0;
  return [
    ...(errors > 0 ? [`${which}: ${errors} errors; the result is wrong.`] : []),
    ...(left > 0 ? [`${which}: ${left} bytes were not given back.`] : []),
    ...(result.unstable.length > 0 ? [`${which}: not the same in every round: ${result.unstable.join(', ')}.`] : []),
  ];
}

// docs/experiments.md beside a run: every count and byte of its tables is what the programs count today. Times, speeds and
// what threads do to each other differ from run to run; those columns are not compared. CE1 and DE1 have no others.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { boostVersions } from '../../tools/boost_headers.mjs';
import { countCells, differingCounts } from '../../tools/experiments/counts.mjs';
import { parseDocument } from '../../tools/experiments/parse.mjs';
import { measure } from '../../web/src/experiments/measure.ts';
import type { ExperimentId } from '../../web/src/protocol/experiments.ts';
import { emccVersion } from '../bench/harness/compile.mjs';

const text = readFileSync(new URL('../../docs/experiments.md', import.meta.url), 'utf8');
const sections = parseDocument(text);
/** Where a list's blocks lie, in pages and lines, depends a little on the compiler: the document names the one it is for. */
const kCompiler = /emcc (\d+\.\d+\.\d+)/.exec(text)?.[1];
const isCompiler = kCompiler !== undefined && `${emccVersion()} `.includes(` ${kCompiler} `); // 3.1.6 is not 3.1.69

/** By experiment: by how much the work may be divided without changing a count, and the fewest counts there must be. */
const kDivisors: readonly (readonly [ExperimentId, number, number])[] = [
  ['AE1', 1000, 80],
  ['AE2', 1000, 80],
  ['AE3', 100, 18],
  ['AE4', 100, 36],
  ['AE5', 1, 24],
  ['BE1', 1, 24],
  ['EE1', 1, 10],
  ['EE2', 100, 5],
  ['EE3', 100, 8],
  ['EE4', 100, 8],
  ['EE5', 100, 4],
];

describe.skipIf(boostVersions().length === 0 || !isCompiler).each(kDivisors)('%s', (id, divisor, least) => {
  test('the counts and bytes in docs/experiments.md are those of a run', async () => {
    const { report } = await measure(id, { rounds: 1, divisor, threads: undefined, noThreads: 'no threads' });
    const differences: string[] = [];
    let compared = 0;
    for (const [index, { title, rows }] of report.tables.entries()) {
      const written = sections.get(id)?.[index];
      expect(written?.title, `${id}: the title of table ${index + 1}`).toBe(title);
      expect(written?.rows.length, `${id}, ${title}: rows`).toBe(rows.length);
    }
    for (const { table, row, name, cell, place } of countCells(report.tables)) {
      compared += 1;
      const there = sections.get(id)?.[table]?.rows[row]?.[name];
      if (there !== cell) differences.push(`${place}: ${there} written, ${cell} counted`);
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(least);
  });
});

test('two runs whose counts differ are told apart, by table, row and column; times may differ', () => {
  const run = (ms: string, buffers: string) => [
    {
      title: 'T',
      head: ['allocator', 'ms', 'new buffers'],
      rows: [
        ['malloc', ms, buffers],
        ['V1', ms, buffers],
      ],
    },
  ];
  expect(differingCounts(run('1.0', '22'), run('2.0', '22'))).toEqual([]);
  expect(differingCounts(run('1.0', '22'), run('1.0', '23'))).toEqual([
    'T, row 2, new buffers: 22 in the first run, 23 in the second',
  ]);
  expect(differingCounts(run('1.0', '22'), run('1.0', ''))).toEqual(['2 counts in the first run, 1 in the second']);
});

// The tables of the malloc benchmark: a row a workload, a column an allocator, and the geometric mean of the ratios.

import { fixed, printTable } from '../harness/report.mjs';
import { kReference } from './allocators.mjs';

const kMebi = 1 << 20;
const kTitles = {
  micro: 'one kind of call, ns',
  'micro-used': 'one kind of call in a used heap, ns',
  program: 'programs, ms',
  'program-used': 'programs in a used heap, ms',
  phases: 'phase changes, ms',
  'phases-used': 'phase changes in a used heap, ms',
  real: 'real programs, ms',
  stream: 'recorded streams of real programs, ms',
};
const kFootprintTitles = {
  programs: ['program', 'real'],
  'programs in a used heap': ['program-used'],
  'phase changes': ['phases', 'phases-used'],
  'recorded streams': ['stream'],
  'one kind of call': ['micro'],
  'one kind of call in a used heap': ['micro-used'],
};

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** What the means are made over: each group, and what the goal is set for. */
const isLoop = ({ workload }) => workload.startsWith('empty loop');
const isPhases = ({ workload }) => workload.startsWith('phases-');

function meanCells(rows, allocators, ratioOf) {
  return allocators.map((allocator) => {
    const ratios = rows.filter((row) => row.allocator === allocator && !isLoop(row)).map(ratioOf);
    const known = ratios.filter((ratio) => Number.isFinite(ratio));
    if (known.length === 0) return '-';
    return `${fixed(geometricMean(known), 3)} [${known.length}]`;
  });
}

const workloadsOf = (rows) => [...new Set(rows.map(({ workload }) => workload))];

function cells(rows, workload, allocators, text) {
  return allocators.map((allocator) => {
    const row = rows.find((one) => one.workload === workload && one.allocator === allocator);
    return row === undefined ? 'failed' : text(row);
  });
}

const timeText = ({ ns, ms, ratio, spread }) => `${fixed(ns ?? ms, 1)} (${fixed(ratio)}) ${fixed(spread * 100, 0)}%`;

function printGroup(group, rows, allocators) {
  printTable(
    `${kTitles[group]} (ratio to ${kReference}) spread: (largest - smallest) / median`,
    ['workload', ...allocators],
    [
      ...workloadsOf(rows).map((workload) => [workload, ...cells(rows, workload, allocators, timeText)]),
      ['geometric mean', ...meanCells(rows, allocators, ({ ratio }) => ratio)],
    ],
  );
}

function printFootprints(rows, allocators) {
  const live = (workload) => rows.find((row) => row.workload === workload && row.liveRequested !== undefined);
  const text = ({ footprint, footprintRatio }) => `${fixed(footprint / kMebi)} (${fixed(footprintRatio)})`;
  const table = (title, some) =>
    printTable(
      title,
      ['workload', 'live, requested', ...allocators],
      [
        ...workloadsOf(some).map((workload) => [
          workload,
          fixed((live(workload)?.liveRequested ?? Number.NaN) / kMebi),
          ...cells(some, workload, allocators, text),
        ]),
        ['geometric mean', '', ...meanCells(some, allocators, ({ footprintRatio }) => footprintRatio)],
      ],
    );
  const what = `exact footprint, MiB (ratio to ${kReference}): memory's last size less the heap's base, growth by what is asked`;
  for (const [title, groups] of Object.entries(kFootprintTitles)) {
    const some = rows.filter(({ group }) => groups.includes(group));
    if (some.length > 0) table(`${title}, ${what}`, some);
  }
}

/** @param {object[]} rows of the groups of kTitles */
export function printRows(rows, allocators) {
  for (const group of Object.keys(kTitles)) {
    const some = rows.filter((row) => row.group === group);
    if (some.length > 0) printGroup(group, some, allocators);
  }
  const programs = rows.filter(({ group }) => group === 'program' || group === 'real');
  if (programs.length > 0) {
    const time = ({ ratio }) => ratio;
    printTable(
      'geometric means of time ratios [programs], fresh heap',
      ['which', ...allocators],
      [
        ['all programs', ...meanCells(programs, allocators, time)],
        [
          'without phase changes',
          ...meanCells(
            programs.filter((row) => !isPhases(row)),
            allocators,
            time,
          ),
        ],
      ],
    );
  }
  printFootprints(rows, allocators);
}

/** A column for each combination of threads, level and family. */
export function printSizes(sizes, allocators) {
  const columns = [false, true].flatMap((threads) =>
    ['O3', 'Oz'].flatMap((level) => ['full', 'malloc+free'].map((family) => ({ threads, level, family }))),
  );
  const find = (allocator, { threads, level, family }) =>
    sizes.find(
      (size) =>
        size.allocator === allocator && size.threads === threads && size.level === level && size.family === family,
    );
  printTable(
    'bytes of wasm over a bump allocator (full: malloc, free, calloc, realloc, memalign)',
    ['allocator', ...columns.map(({ threads, level, family }) => `${threads ? 'threads ' : ''}-${level} ${family}`)],
    allocators.map((allocator) => [allocator, ...columns.map((column) => find(allocator, column)?.bytes ?? '-')]),
  );
}

// The figures of a run as the tables of docs/malloc.md: node tests/bench/malloc/markdown.mjs [build/bench/malloc.json]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/compile.mjs';

const read = JSON.parse(readFileSync(process.argv[2] ?? join(root, 'build/bench/malloc.json'), 'utf8'));
const named = (one) => (one.threads ? { ...one, workload: `${one.workload}, ${one.threads}` } : one);
const figures = { ...read, rows: read.rows.map(named) };
const kTitles = {
  micro: 'One kind of call',
  program: 'Programs',
  real: 'Real programs',
  threads: 'Threads',
};
const ratio = (value) => (Number.isFinite(value) ? value.toFixed(2) : '–');
const time = ({ ns, ms }) => (ns === undefined ? `${ms.toFixed(0)} ms` : `${ns.toFixed(1)} ns`);
const mebibytes = (bytes) => (Number.isFinite(bytes) ? `${(bytes / 2 ** 20).toFixed(2)} MiB` : '–');
const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
const row = (cells) => `| ${cells.join(' | ')} |`;

/** A line a workload: dlmalloc's own figure, then the others' ratios to it. */
function table(group, value, ratioOf, absolute) {
  const rows = figures.rows.filter((one) => one.group === group && Number.isFinite(ratioOf(one)));
  const allocators = figures.allocators.filter(
    (name) => name !== 'dlmalloc' && rows.some(({ allocator }) => allocator === name),
  );
  const lines = [row([value, 'dlmalloc', ...allocators]), row(Array(allocators.length + 2).fill('---'))];
  for (const workload of new Set(rows.map((one) => one.workload))) {
    const of = (name) => rows.find((one) => one.workload === workload && one.allocator === name);
    const reference = of('dlmalloc');
    const cells = allocators.map((name) => (of(name) === undefined ? '–' : ratio(ratioOf(of(name)))));
    lines.push(row([workload, reference === undefined ? '–' : absolute(reference), ...cells]));
  }
  const means = allocators.map((name) => ratio(mean(rows.filter((one) => one.allocator === name).map(ratioOf))));
  lines.push(row(['**geometric mean**', '', ...means]));
  return lines.join('\n');
}

console.log(
  `${figures.date}, ${figures.machine.processor}, ${figures.engine}, ${figures.emcc}; ${figures.rounds} rounds\n`,
);
for (const [group, title] of Object.entries(kTitles)) {
  if (!figures.rows.some((one) => one.group === group)) continue;
  console.log(`### ${title}\n`);
  console.log(`${table(group, 'time', (one) => one.ratio, time)}\n`);
  console.log(
    `${table(
      group,
      'exact footprint',
      (one) => one.footprintRatio,
      (one) => mebibytes(one.footprint),
    )}\n`,
  );
}

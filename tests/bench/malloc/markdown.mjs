// The figures of a run as tables of Markdown, a heading each; with --into the table under each of these headings in a
// document is replaced. A table without rows is left out, so the figures of a part can be read as well (threads.mjs --json).
//
//   node tests/bench/malloc/markdown.mjs [build/bench/malloc.json] [--into docs/malloc_figures.md]

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/compile.mjs';
import { option } from '../harness/report.mjs';

const kReference = 'dlmalloc';
const into = option('into', undefined);
const given = process.argv[2]?.startsWith('--') ? undefined : process.argv[2];
const figures = JSON.parse(readFileSync(given ?? join(root, 'build/bench/malloc.json'), 'utf8'));

const rows = figures.rows.map((one) =>
  one.threads === undefined
    ? one
    : { ...one, workload: `${one.workload}, ${one.threads} ${one.threads === 1 ? 'thread' : 'threads'}` },
);
const ratio = (value) => (Number.isFinite(value) ? value.toFixed(2) : '–');
const time = ({ ns, ms }) => (ns === undefined ? `${ms.toFixed(1)} ms` : `${ns.toFixed(1)} ns`);
const mebibytes = ({ footprint }) => `${(footprint / 2 ** 20).toFixed(2)} MiB`;
const count = (value) => (Number.isFinite(value) ? value.toLocaleString('en-US') : '–');
const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
const line = (cells) => `| ${cells.join(' | ')} |`;
const tableOf = (head, body) => [head, head.map(() => '---'), ...body].map(line).join('\n');

/** A line a workload of the groups: dlmalloc's own figure, then the others' ratios to it. */
function ratios(groups, ratioOf, absolute) {
  const all = rows.filter((one) => groups.includes(one.group) && Number.isFinite(ratioOf(one)));
  const named = (name) => all.filter(({ allocator, workload }) => allocator === name && !workload.startsWith('empty'));
  if (all.length === 0) return undefined;
  const others = figures.allocators.filter((name) => name !== kReference && named(name).length > 0);
  const body = named(kReference).map((reference) => {
    const of = (name) => named(name).find(({ workload }) => workload === reference.workload);
    const cells = others.map((name) => (of(name) === undefined ? '–' : ratio(ratioOf(of(name)))));
    return [reference.workload, absolute(reference), ...cells];
  });
  const means = others.map((name) => mean(named(name).map(ratioOf)).toFixed(3));
  return tableOf(['', kReference, ...others], [...body, ['**geometric mean**', '', ...means]]);
}

/** Bytes of wasm: a line an allocator. */
function code() {
  if (figures.sizes === undefined) return undefined;
  const nameOf = ({ level, threads, family }) =>
    `-${level}, ${family === 'full' ? 'all' : family}${threads ? ', threads' : ''}`;
  const columns = [...new Set(figures.sizes.map(nameOf))];
  const named = (allocator, column) =>
    figures.sizes.find((one) => one.allocator === allocator && nameOf(one) === column)?.bytes;
  const allocators = [...new Set(figures.sizes.map(({ allocator }) => allocator))];
  return tableOf(
    ['', ...columns],
    allocators.map((allocator) => [allocator, ...columns.map((column) => count(named(allocator, column)))]),
  );
}

const timeOf = (...groups) => ratios(groups, (one) => one.ratio, time);
const footprintOf = (...groups) => ratios(groups, (one) => one.footprintRatio, mebibytes);
const kTables = {
  'Programs: time': () => timeOf('program'),
  'Programs in a used heap: time': () => timeOf('program-used'),
  'Real programs: time': () => timeOf('real'),
  'Recorded streams: time': () => timeOf('stream'),
  'One kind of call: time': () => timeOf('micro'),
  'One kind of call in a used heap: time': () => timeOf('micro-used'),
  'Programs: exact footprint': () => footprintOf('program', 'real'),
  'Programs in a used heap: exact footprint': () => footprintOf('program-used'),
  'Recorded streams: exact footprint': () => footprintOf('stream'),
  'One kind of call: exact footprint': () => footprintOf('micro'),
  'One kind of call in a used heap: exact footprint': () => footprintOf('micro-used'),
  'Threads: time': () => timeOf('threads'),
  'Threads: exact footprint': () => footprintOf('threads'),
  Code: code,
};

/** The document with the first table under the heading replaced. */
function replaced(text, heading, table) {
  const pattern = new RegExp(`(^### ${heading}\\n(?:(?!\\||#).*\\n)*)((?:\\|.*\\n)+)`, 'm');
  if (!pattern.test(text)) throw new Error(`${into} has no table under "### ${heading}"`);
  return text.replace(pattern, (_, before) => `${before}${table}\n`);
}

const tables = Object.entries(kTables)
  .map(([heading, make]) => [heading, make()])
  .filter(([, table]) => table !== undefined);
if (into === undefined) {
  const { date, machine, engine, emcc, rounds } = figures;
  console.log(`${date}, ${machine.processor}, ${engine}, ${emcc}; ${rounds} rounds\n`);
  for (const [heading, table] of tables) console.log(`### ${heading}\n\n${table}\n`);
} else {
  const text = tables.reduce((whole, [heading, table]) => replaced(whole, heading, table), readFileSync(into, 'utf8'));
  writeFileSync(into, text);
}

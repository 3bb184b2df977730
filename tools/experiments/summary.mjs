// One table of all experiments, lost ones included, at the head of docs/experiments.md.
//
// Every figure here is a cell of the tables below it, so the two cannot differ; tests/tools/figures.test.ts compares them.

import { parseDocument } from './parse.mjs';

const kHeading = '## In one table';
const kBase = '1.00× is the plain way: V1 (allocate and free), one heap, one pool, or the malloc of the compiler.';

const kSizes = ['10,000', '1,000', '100', '10'];
const inTurn = kSizes.join(', ');

/** Each row: what is measured; ours; the document's; why they differ. `at(table, wanted, column)` is one cell. */
const kRows = {
  AE1: (at) => [
    'a vector grows at its end',
    `${speeds(at, 'speed')} as fast as V1 for ${inTurn} elements; for 10,000, 1 buffer and ${at('10,000 elements', { allocator: 'V2' }, 'expansions')} expansions instead of ${at('10,000 elements', { allocator: 'V1' }, 'new buffers')} buffers`,
    '2.5× for 10,000',
    `Without expansion, V2 makes as many calls and is ${masked(at)} as fast. With little to copy, to expand a buffer costs more than a new one.`,
  ],
  AE2: (at) => [
    'a vector grows at its front',
    `${speeds(at, 'speed')} for ${inTurn} elements`,
    'slightly faster in most cases',
    `Without expansion, V2 makes as many calls of the same command and is ${masked(at)} as fast: to grow backward costs, not the command.`,
  ],
  AE3: (at) => [
    'a vector shrinks to fit',
    `${at(0, { allocator: 'V2', elements: '10,000' }, 'speed')}, ${at(0, { allocator: 'V2', elements: '500' }, 'speed')}, ${at(0, { allocator: 'V2', elements: '200' }, 'speed')} for 10,000, 500, 200 elements`,
    'up to 90×',
    'V1 spends its time copying, and copying is fast here.',
  ],
  AE4: (at) => {
    const of = (column) => kSizes.map((range) => at(0, { allocator: 'V2', range }, column)).join(', ');
    return [
      'a list inserts and erases ranges in bursts',
      `insertion into fresh memory ${of('insertion')} for ranges of ${inTurn} (spread up to ${widest(at.rows(0).filter(isCompared), 'insertion, ms')}), into used memory ${of('insertion into used memory')}; erasure ${of('erasure')}. ${[...new Set(of('calls a range').split(', '))].join(', ')} call a range instead of ${kSizes.map((range) => at(0, { allocator: 'V1', range }, 'calls a range')).join(', ')}`,
      'insertion 2 to 3×, erasure 1.2 to 1.3×',
      `The first touch of fresh memory takes about as long for both: ${firstTouch(at, 'V1')} ms of V1 and ${firstTouch(at, 'V2')} ms of V2 for ranges of 10,000.`,
    ];
  },
  AE5: (at) => [
    'two million list nodes of 12 bytes',
    `overhead ${at(0, { allocator: 'align-only V1' }, 'overhead')} and ${at(0, { allocator: '2 % V1' }, 'overhead')} in adaptive pools, ${at(0, { allocator: 'plain V1' }, 'overhead')} in the plain heap; ${at(0, { allocator: '2 % V1' }, 'in use after erasure')} bytes kept. Insertion one by one ${at('Speed', { allocator: '2 % V1', range: '10,000' }, 'insertion')}, in bursts ${at('Speed', { allocator: '2 % V2', range: '10,000' }, 'insertion')} as fast as the plain heap`,
    'under 2 %, 33.3 %, 8,192 bytes',
    '',
  ],
  BE1: (at) => {
    const sizes = ['20,000', '40,000', '150,000'];
    const gain = (phase, against) => sizes.map((size) => at(0, { phase, against }, `${size} operations`)).join(', ');
    const pages = (memory) => at(1, { memory, 'operations a list': '150,000' }, '64 KiB pages');
    return [
      'five lists, one pool each',
      `against one heap: overall ${gain('overall', 'one heap')} for ${sizes.join(', ')} operations, insertion ${gain('insertion', 'one heap')}, search ${gain('search', 'one heap')}; against malloc overall ${gain('overall', 'malloc')}. A search reads ${pages('a pool a list')} pages instead of ${pages('one heap')}`,
      'overall 24.1×, 35.8×, 35.1×; a fifth of the pages',
      'The document measured swapping; here every page is resident.',
    ];
  },
  CE1: (at) => {
    const gain = (pools) =>
      ['8', '16', '32'].map((threads) => at('per thread', { threads, pools }, 'speed, 1 pool = 1')).join(', ');
    const retries = (pools) => at('per thread', { threads: '8', pools }, 'contention');
    return [
      'buffers through lock-free pools',
      `${gain('4')} with 4 pools instead of 1 for 8, 16, 32 threads; ${gain('8')} with 8 pools. Contention ${retries('1')}, ${retries('4')}, ${retries('8')} with 1, 4, 8 pools. No CRC error`,
      '5 to 6× for 8 threads, up to 10× for 32',
      'The document had 4 cores. On 2 cores few operations retry, so more pools save little. Every time includes the counting of retries.',
    ];
  },
  DE1: (at) => {
    const pairs = (allocator) =>
      ['1', '2', '4', '8'].map((threads) => at(0, { allocator, threads }, 'million pairs')).join(', ');
    return [
      'pairs of allocate and free by 1, 2, 4, 8 threads, million a second and thread',
      `thread caches, called ${pairs('small (thread caches)')}; inlined ${pairs('small, inlined')}; a locked pool ${pairs('locked pool')}; Emscripten's malloc ${pairs('malloc')}`,
      'thread caches 126.5, 126.0, 126.3, 122.3; a locked pool 156.4, 11.5, 3.1, 1.3',
      'The document had 8 cores; here 4 and 8 threads share 2.',
    ];
  },
  EE1: (at) => managers(at, 'a million objects', '1,000', '16×', kFasterBase),
  EE2: (at) => managers(at, 'a hundred objects replaced at random', '100', '4.28×', ''),
  EE3: (at) => managers(at, 'a list of 1000 numbers', '1,000', '6.57×', kFasterBase),
  EE4: (at) => managers(at, 'a map of 1000 numbers', '1,000', '2.11×', kFasterBase),
  EE5: (at) => [
    'a function that makes many strings',
    `${at(0, { memory: 'fixed string' }, 'speed')} as fast as \`std::string\``,
    '2.40×',
    '',
  ],
};
const kFasterBase = 'The malloc that it is compared with is several times as fast as the document’s.';

const speeds = (at, column) => kSizes.map((size) => at(`${size} elements`, { allocator: 'V2' }, column)).join(', ');

/** V2 without expansion, in the tables of AE1 and AE2. */
const masked = (at) => kSizes.map((size) => at(`${size} elements`, { allocator: 'V2 masked' }, 'speed')).join(', ');

/** AE4: the two ways that the ratios compare. */
const isCompared = ({ allocator }) => allocator !== 'std';

/** AE4: milliseconds that an insertion into used memory saves. */
function firstTouch(at, allocator) {
  const ms = (column) => Number.parseFloat(at(0, { allocator, range: '10,000' }, column));
  return (ms('insertion, ms') - ms('into used memory, ms')).toFixed(1);
}

const managers = (at, what, size, document, why) => [
  what,
  `a fixed-block manager is ${at(0, { memory: 'manager', size }, 'speed')} as fast as malloc, a growing one ${at(0, { memory: 'manager, growing', size }, 'speed')}, heapglass's heap ${at(0, { memory: 'heap', size }, 'speed')}`,
  document,
  why,
];

/** The widest spread of a column: "±136 %". */
function widest(rows, column) {
  const spreads = rows.map((row) => Number(/±(\d+) %/.exec(row[column] ?? '')?.[1] ?? 0));
  return `±${Math.max(...spreads)} %`;
}

/** @param {string} document the text of docs/experiments.md @returns {string} the section with the table */
export function summaryOf(document) {
  const sections = parseDocument(document);
  const lines = Object.entries(kRows).map(
    ([id, row]) => `| ${[id, ...row(cellsOf(id, sections.get(id)))].join(' | ')} |`,
  );
  const head = '| | measured | here | the document | why they differ |\n|---|---|---|---|---|';
  return `${kHeading}\n\n${kBase}\n\n${head}\n${lines.join('\n')}\n\n`;
}

/** @param {string} document @returns {string} the document with the section before its first experiment, old or new */
export function withSummary(document) {
  const first = document.search(/^## [A-E]E\d\./m);
  const old = document.indexOf(kHeading);
  return `${document.slice(0, old < 0 ? first : old)}${summaryOf(document)}${document.slice(first)}`;
}

/** Cells of one experiment's tables; a column is named without its "(document)", a cell without its parenthesis. */
function cellsOf(id, tables) {
  if (tables === undefined) throw new Error(`docs/experiments.md has no section ${id}`);
  const rowsOf = (which) => {
    const found = typeof which === 'number' ? tables[which] : tables.find(({ title }) => title === which);
    if (found === undefined) throw new Error(`${id} has no table ${which}`);
    return found.rows;
  };
  const at = (which, wanted, column) => {
    const row = rowsOf(which).find((one) => Object.entries(wanted).every(([key, value]) => one[key] === value));
    if (row?.[column] === undefined) throw new Error(`${id}, ${which}: no ${column} of ${JSON.stringify(wanted)}`);
    return row[column].replace(/ \(.*\)$/, '');
  };
  return Object.assign(at, { rows: rowsOf });
}

// Which tables of which documents the site also shows as plots.
//
//   PT1  A plot has no figure of its own: it names a table's rows and columns. What it names must be there, or the site is not
//        built.
//   PT2  A column whose head says "(document)" gives two points: ours, and the document's, hollow.

const kSpeed = 'times as fast as V1';
const kAgainstMalloc = 'times as fast as malloc';
const managers = (section) => ({
  heading: new RegExp(`^${section}\\.`),
  rows: ['memory', 'size'],
  columns: ['speed (document)'],
  axis: kAgainstMalloc,
  one: 1,
});

/**
 * heading: of the table; title: its bold title, where a section has several. All tables that fit one entry become one plot, with
 * `each` a plot of their own. rows: the columns that name a row. columns: those with figures; { column, names } for a column
 * that holds several figures a cell. one: the value that means "the same". curve: the rows lie along the axis, and this column says what
 * happens.
 */
export const kPlots = {
  'docs/experiments.md': [
    { heading: /^AE1\./, rows: ['allocator'], columns: ['speed (document)'], axis: kSpeed, one: 1 },
    { heading: /^AE2\./, rows: ['allocator'], columns: ['speed'], axis: kSpeed, one: 1 },
    { heading: /^AE3\./, rows: ['allocator', 'elements'], columns: ['speed (document)'], axis: kSpeed, one: 1 },
    {
      heading: /^AE4\./,
      rows: ['allocator', 'range'],
      columns: ['insertion (document)', 'erasure (document)', 'insertion into used memory'],
      axis: kSpeed,
      one: 1,
    },
    {
      heading: /^AE5\./,
      title: /^Memory/,
      rows: ['allocator'],
      columns: ['overhead (document)'],
      axis: 'bytes beside those of the nodes, %',
    },
    {
      heading: /^AE5\./,
      title: /^Speed/,
      rows: ['allocator', 'range'],
      columns: ['insertion', 'erasure'],
      axis: 'times as fast as the plain heap, V1',
      one: 1,
    },
    {
      heading: /^BE1\./,
      title: /^How many times/,
      rows: ['phase', 'against'],
      columns: ['20,000 operations', '40,000 operations', '150,000 operations'],
      axis: 'times as fast with a pool for each list',
      one: 1,
      document: true,
    },
    {
      heading: /^CE1\./,
      title: /^(per|owner)/,
      rows: ['threads', 'pools'],
      columns: ['speed, 1 pool = 1'],
      axis: 'times as fast as one pool',
      one: 1,
    },
    {
      heading: /^DE1\./,
      title: /^Million pairs/,
      rows: ['allocator', 'threads'],
      columns: ['million pairs', 'all threads together'],
      axis: 'million pairs a second',
    },
    managers('EE1'),
    managers('EE2'),
    managers('EE3'),
    managers('EE4'),
  ],
  'docs/malloc_figures.md': [
    {
      heading: /: (time|exact footprint)$/,
      each: true,
      rows: [''],
      columns: ['heapglass', 'heapglass-small', 'emmalloc', 'mimalloc'],
      axis: 'relative to dlmalloc; smaller is better',
      one: 1,
    },
  ],
  'docs/malloc.md': [
    {
      heading: /drawn at random/,
      head: 'time',
      rows: ['time'],
      columns: ['geometric mean', 'median', 'p90', 'worst (seed)'],
      axis: 'time relative to dlmalloc; smaller is better',
      one: 1,
    },
    {
      heading: /own benchmark/,
      head: 'time',
      rows: ['time'],
      columns: ['heapglass', 'small', 'emmalloc', 'mimalloc'],
      axis: 'time relative to dlmalloc; smaller is better',
      one: 1,
    },
  ],
  'docs/instrument.md': [
    {
      heading: /^Cost$/,
      rows: ['module'],
      columns: ['calls', "calls, keep: 'none'", 'calls, to a file', '--stacks', '--sample 2097152'],
      axis: 'time relative to the module without instrumentation',
      one: 1,
    },
  ],
  'docs/replay.md': [
    {
      heading: /real programs/,
      rows: ['program'],
      columns: [{ column: 'fast, MiB: replayed, real', names: ['fast, replayed', 'fast, real'] }, 'live, MiB'],
      axis: 'MiB',
    },
  ],
  'docs/shrink.md': [
    {
      heading: /^The curve of a tab/,
      rows: ['second'],
      columns: ['Chromium', 'Chromium, no shrink', 'Firefox', 'Firefox, no shrink'],
      curve: 'the page',
      axis: 'resident MB of its process, over seconds',
    },
  ],
  'docs/javascript_heap.md': [
    {
      heading: /^Comparison/,
      head: 'share of 1 MiB',
      rows: ['share of 1 MiB that the user gets before memory is out'],
      columns: ['@thi.ng/malloc', 'heapglass', 'over a buffer'],
      axis: '% of 1 MiB',
    },
  ],
  'docs/measurements.md': [
    {
      heading: /^Cost of an event/,
      rows: ['operation'],
      columns: ['release', 'stopped', 'on'],
      axis: 'ns an operation',
    },
  ],
};

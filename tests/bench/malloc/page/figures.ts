// What the bench writes (build/bench/malloc.json), and what each picture of the page shows of it. Pure: no DOM.
//
//   F1  A figure that could not be measured is null or missing in the JSON; it is left out of a picture and of a mean.
//   F2  Rows keep the order of the file, allocators that of its list.
//   F3  A geometric mean is over the workloads that an allocator ran; the page says how many those are.

export type Group = 'micro' | 'micro-used' | 'program' | 'program-used' | 'real' | 'stream' | 'threads';

export interface Row {
  readonly group: Group;
  readonly workload: string;
  readonly allocator: string;
  readonly ns?: number | null;
  readonly ms?: number | null;
  readonly ratio?: number | null; // of time, dlmalloc 1
  readonly spread?: number | null; // (max - min) / median
  readonly footprint?: number | null; // bytes
  readonly footprintRatio?: number | null;
  readonly liveRequested?: number | null; // bytes, at the peak
  readonly threads?: number | null;
  readonly lockNs?: number | null; // ns a call that -pthread costs; of one row a allocator
}

export interface CodeSize {
  readonly allocator: string;
  readonly level: string;
  readonly threads: boolean;
  readonly family: string;
  readonly bytes: number;
}

export interface Figures {
  readonly date?: string;
  readonly machine?: { readonly node?: string; readonly processor?: string; readonly processors?: number } | string;
  readonly emcc?: string;
  readonly node?: string;
  readonly engine?: string;
  readonly rounds?: number;
  readonly allocators: readonly string[];
  readonly rows: readonly Row[];
  readonly sizes: readonly CodeSize[];
}

export type Metric = 'ratio' | 'footprintRatio';

export interface Point {
  readonly allocator: string;
  readonly value: number;
  readonly text: string; // the figure itself, with its unit
}

export interface DotRow {
  readonly key: string;
  readonly group: Group;
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Mean {
  readonly allocator: string;
  readonly time: number;
  readonly footprint: number;
  readonly workloads: number;
}

export interface Series {
  readonly allocator: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly text: string }[];
}

export interface LinePanel {
  readonly name: string;
  readonly note: string;
  readonly series: readonly Series[];
}

export interface BarPanel {
  readonly name: string;
  readonly bars: readonly Point[];
}

export const kReference = 'dlmalloc';
export const kOurs = 'heapglass';

/** Whether a figure is one (F1); of a ratio only a positive one has a place on a log scale. */
const isPositive = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0;

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** pair-16, lifo-1024, FIFO 64 B: a kind of the line plots, and its block size. */
export function sizedWorkload(name: string): { readonly kind: string; readonly size: number } | undefined {
  const found = /^(pair|lifo|fifo)\D*?([\d.]+)\s*(ki?b|mi?b)?\b/i.exec(name);
  if (found === null) return undefined;
  const unit = found[3]?.[0]?.toLowerCase();
  const scale = unit === 'k' ? 1024 : unit === 'm' ? 1024 ** 2 : 1;
  return { kind: (found[1] ?? '').toLowerCase(), size: Number(found[2]) * scale };
}

const isEmptyLoop = ({ workload }: Row): boolean => workload.startsWith('empty loop');

/** One row a workload of the groups, with the allocators that have the figure; the reference is the line at 1. */
export function dotRows(figures: Figures, metric: Metric, groups: readonly Group[]): DotRow[] {
  const rows = new Map<string, { group: Group; name: string; points: Point[] }>();
  for (const row of figures.rows) {
    const value = row[metric];
    if (!groups.includes(row.group) || !isPositive(value) || isEmptyLoop(row)) continue;
    if (row.group.startsWith('micro') && sizedWorkload(row.workload) !== undefined) continue; // those are lines
    const key = `${row.group}/${row.workload}/${row.threads ?? ''}`;
    const entry = rows.get(key) ?? { group: row.group, name: rowName(row), points: [] };
    rows.set(key, entry);
    entry.points.push({ allocator: row.allocator, value, text: figureText(row, metric) });
  }
  const order = new Map(figures.allocators.map((allocator, index) => [allocator, index]));
  const place = ({ allocator }: Point): number => order.get(allocator) ?? order.size;
  return [...rows]
    .map(([key, row]) => ({ key, ...row, points: row.points.toSorted((a, b) => place(a) - place(b)) }))
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

export function rowName({ workload, group, threads }: Row): string {
  if (group !== 'threads' || !isPositive(threads)) return workload;
  return `${workload} ×${threads}`;
}

function figureText(row: Row, metric: Metric): string {
  if (metric === 'footprintRatio') return isPositive(row.footprint) ? bytesText(row.footprint) : '–';
  return isPositive(row.ns) ? `${numberText(row.ns)} ns` : isPositive(row.ms) ? `${numberText(row.ms)} ms` : '–';
}

/** The smallest value of a row that is not one of ours. The reference counts. */
export function bestPeer(row: DotRow): Point | undefined {
  const peers = row.points.filter(({ allocator }) => !isOurs(allocator));
  return peers.reduce<Point | undefined>(
    (best, one) => (best === undefined || one.value < best.value ? one : best),
    undefined,
  );
}

/** heapglass, its profiles, and row D: what this project makes. */
export const isOurs = (allocator: string): boolean => allocator.startsWith(kOurs) || allocator === 'row-d';

export function meanOf(rows: readonly DotRow[], allocator: string): number | undefined {
  const values = rows.flatMap(({ points }) => points.filter((point) => point.allocator === allocator));
  return values.length === 0 ? undefined : geometricMean(values.map(({ value }) => value));
}

/** Of programs, ours and made elsewhere, on one thread: time and footprint of each allocator (F3). */
export function means(figures: Figures): Mean[] {
  const times = dotRows(figures, 'ratio', ['program', 'real']);
  const footprints = dotRows(figures, 'footprintRatio', ['program', 'real']);
  return figures.allocators.flatMap((allocator) => {
    const time = meanOf(times, allocator);
    const footprint = meanOf(footprints, allocator);
    if (time === undefined || footprint === undefined) return [];
    const workloads = times.filter(({ points }) => points.some((point) => point.allocator === allocator)).length;
    return [{ allocator, time, footprint, workloads }];
  });
}

const kKinds = [
  { kind: 'pair', name: 'Pairs', note: 'one block taken and given back' },
  { kind: 'lifo', name: 'Last in, first out', note: 'up to 1,000 live blocks of one size' },
  { kind: 'fifo', name: 'First in, first out', note: 'up to 1,000 live blocks of one size' },
];

/** ns by block size: pairs, stacks, queues; in a fresh heap or a used one. */
export function sizedPanels(figures: Figures, group: 'micro' | 'micro-used' = 'micro'): LinePanel[] {
  return kKinds.flatMap(({ kind, name, note }) => {
    const series = seriesOf(figures, (row) => {
      const sized = row.group === group ? sizedWorkload(row.workload) : undefined;
      if (sized?.kind !== kind || !isPositive(row.ns)) return undefined;
      return { x: sized.size, y: row.ns, text: `${bytesText(sized.size)}: ${numberText(row.ns)} ns` };
    });
    return series.length === 0 ? [] : [{ name, note, series }];
  });
}

/** ms by threads, a panel a workload. */
export function threadPanels(figures: Figures): LinePanel[] {
  const workloads = new Set(figures.rows.filter(({ group }) => group === 'threads').map(({ workload }) => workload));
  return [...workloads].flatMap((workload) => {
    const series = seriesOf(figures, (row) => {
      if (row.group !== 'threads' || row.workload !== workload) return undefined;
      if (!isPositive(row.ms) || !isPositive(row.threads)) return undefined;
      const ratio = isPositive(row.ratio) ? `, ${numberText(row.ratio)} of ${kReference}` : '';
      return { x: row.threads, y: row.ms, text: `${row.threads} threads: ${numberText(row.ms)} ms${ratio}` };
    });
    return series.length === 0 ? [] : [{ name: workload, note: '', series }];
  });
}

function seriesOf(figures: Figures, pointOf: (row: Row) => Series['points'][number] | undefined): Series[] {
  return figures.allocators.flatMap((allocator) => {
    const points = figures.rows
      .filter((row) => row.allocator === allocator)
      .map(pointOf)
      .filter((point) => point !== undefined)
      .toSorted((a, b) => a.x - b.x);
    return points.length === 0 ? [] : [{ allocator, points }];
  });
}

/** Bytes of code by what was asked of the compiler. */
export function codePanels(figures: Figures): BarPanel[] {
  const panels = new Map<string, Point[]>();
  for (const { allocator, level, threads, family, bytes } of figures.sizes) {
    if (!isPositive(bytes)) continue;
    const what = family === 'full' ? 'whole family' : 'malloc and free';
    const name = `-${level}${threads ? ' -pthread' : ''}, ${what}`;
    const bars = panels.get(name) ?? [];
    panels.set(name, bars);
    bars.push({ allocator, value: bytes, text: `${groupedText(bytes)} B` });
  }
  return [...panels].map(([name, bars]) => ({ name, bars }));
}

/** What -pthread costs a call on one thread. */
export function lockPanel(figures: Figures): BarPanel | undefined {
  const bars = figures.rows.flatMap(({ allocator, lockNs }) =>
    typeof lockNs === 'number' ? [{ allocator, value: lockNs, text: `${numberText(lockNs)} ns` }] : [],
  );
  return bars.length === 0 ? undefined : { name: 'ns a call that -pthread adds, uncontended', bars };
}

/** Three digits that count; whole numbers from a hundred on. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return groupedText(Math.round(value));
  return value.toFixed(size >= 10 ? 1 : 2);
}

export const groupedText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

const kUnits = ['B', 'KiB', 'MiB', 'GiB'];

/** Binary units and a narrow space, as everywhere in the glass. */
export function bytesText(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), kUnits.length - 1);
  const value = bytes / 1024 ** step;
  const digits = step === 0 || Number.isInteger(value) ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}\u202f${kUnits[step]}`;
}

// The page of the benchmark's figures: the summary picture first, then time, footprint, code, sizes, threads. Figures are
// in the page itself, as JSON in an element; the system's theme is followed.

import '../../../../web/src/shell/fonts.css';
import '../../../../web/src/shell/shell.css';
import '../../../../web/src/panels/experiments/experiments.css';
import './page.css';
import { make, makeSvg } from '../../../../web/src/dom/dom.ts';
import { cssVariables } from '../../../../web/src/dom/palette.ts';
import { barPlot } from './bar_plot.ts';
import { dotPlot } from './dot_plot.ts';
import {
  bytesText,
  codePanels,
  dotRows,
  type Figures,
  type Group,
  groupedText,
  kOurs,
  kReference,
  lockPanel,
  type Metric,
  meanOf,
  means,
  numberText,
  sizedPanels,
  threadPanels,
} from './figures.ts';
import { linePlot } from './line_plot.ts';
import { lookOf } from './looks.ts';
import { createPicture } from './picture.ts';
import { scatter } from './scatter.ts';
import {
  barSummary,
  barTable,
  dotSummary,
  dotTable,
  lineSummary,
  lineTable,
  meansSummary,
  meansTable,
} from './tables.ts';

const figures = JSON.parse(document.getElementById('hg-figures')?.textContent ?? '{}') as Figures; // write_page.mjs put it there
const { allocators } = figures;
const kUsedHeap = 'Before it, other work left 8 MiB of holes between live blocks.';
const nameWidth = 28 + Math.max(0, ...allocators.map(({ length }) => length)) * 7.4; // of bars
const look = (allocator: string) => lookOf(allocator, allocators);

const light = matchMedia('(prefers-color-scheme: light)');
const forced = matchMedia('(forced-colors: active)');
const theme = document.head.appendChild(document.createElement('style'));
function applyTheme(): void {
  theme.textContent = `:root { ${cssVariables(forced.matches ? 'forced' : light.matches ? 'light' : 'dark')} }`;
}
light.addEventListener('change', applyTheme);
forced.addEventListener('change', applyTheme);
applyTheme();

function header(): HTMLElement {
  const { machine, date, emcc, node, engine, rounds } = figures;
  const processor = typeof machine === 'string' ? machine : machine?.processor;
  const count = typeof machine === 'string' ? undefined : machine?.processors;
  const facts = [
    emcc?.replace(/ \(.*?\)/g, ''),
    engine ?? (node === undefined ? undefined : `Node ${node}`),
    processor === undefined ? undefined : `${processor}${count === undefined ? '' : `, ${count} cores`}`,
    rounds === undefined ? undefined : `medians of ${rounds} interleaved rounds`,
    date?.slice(0, 10),
  ].filter((fact) => fact !== undefined && fact !== '');
  return make(
    'header',
    { class: 'hg-bench__header' },
    make('h1', { class: 'hg-bench__title' }, 'heapglass', make('span', {}, ' malloc benchmark')),
    make('p', { class: 'hg-note' }, facts.join(' · ')),
    headlines(),
  );
}

/** Four numbers, each with what it is compared to. */
function headlines(): HTMLElement {
  const list = make('dl', { class: 'hg-bench__numbers' });
  const add = (name: string, value: string | undefined, compared: string): void => {
    if (value === undefined) return;
    list.append(make('div', {}, make('dt', {}, name), make('dd', {}, value, make('span', {}, ` ${compared}`))));
  };
  const mean = (metric: Metric, groups: readonly Group[]): string | undefined => {
    const value = meanOf(dotRows(figures, metric, groups), kOurs);
    return value === undefined ? undefined : numberText(value);
  };
  const code = codePanels(figures)[0];
  const bytes = code?.bars.find(({ allocator }) => allocator === kOurs)?.value;
  const reference = code?.bars.find(({ allocator }) => allocator === kReference)?.text;
  add('time', mean('ratio', ['program', 'real']), `of ${kReference}`);
  add('footprint', mean('footprintRatio', ['program', 'real']), `of ${kReference}`);
  add('time with threads', mean('ratio', ['threads']), `of ${kReference}`);
  add(
    'code',
    bytes === undefined ? undefined : `${groupedText(bytes)} B`,
    reference === undefined ? '' : `${kReference} ${reference}`,
  );
  return list;
}

/** Each name singles its allocator out: the others fade until it is pressed again. */
function legend(): HTMLElement {
  const buttons = allocators.map((allocator) => {
    const { colour, path, hollow } = look(allocator);
    const mark = makeSvg('path', {
      d: path,
      transform: 'translate(8 8)',
      class: `hg-mark${hollow ? ' hg-mark--hollow' : ''}`,
    });
    mark.style.setProperty('--series', colour);
    const picture = makeSvg('svg', { width: 16, height: 16, 'aria-hidden': 'true' }, mark);
    const button = make(
      'button',
      { type: 'button', class: 'hg-bench__key', 'aria-pressed': 'false' },
      picture,
      allocator,
    );
    if (allocator === kReference) button.append(make('span', { class: 'hg-dim' }, 'the line at 1'));
    button.addEventListener('click', () =>
      single(button.getAttribute('aria-pressed') === 'true' ? undefined : allocator),
    );
    return button;
  });
  const rule = document.head.appendChild(document.createElement('style'));
  function single(chosen: string | undefined): void {
    buttons.forEach((button, at) => {
      button.setAttribute('aria-pressed', String(allocators[at] === chosen));
    });
    rule.textContent =
      chosen === undefined ? '' : `[data-allocator]:not([data-allocator="${CSS.escape(chosen)}"]) { opacity: 0.12; }`;
  }
  return make('div', { class: 'hg-bench__legend', role: 'group', 'aria-label': 'Single out an allocator' }, ...buttons);
}

function dots(
  title: string,
  note: string,
  metric: Metric,
  groups: readonly Group[],
  place: string,
): HTMLElement | undefined {
  const rows = dotRows(figures, metric, groups);
  if (rows.length === 0) return undefined;
  const shown = allocators.filter((allocator) =>
    rows.some(({ points }) => points.some((point) => point.allocator === allocator)),
  );
  return panel(
    place,
    createPicture(
      { title, note, summary: dotSummary(rows), table: dotTable(rows, shown), draw: dotPlot(rows, shown) },
      look,
    ),
  );
}

function panel(place: string, ...children: readonly HTMLElement[]): HTMLElement {
  return make('section', { class: `hg-bench__panel hg-bench__panel--${place}` }, ...children);
}

/** Several small pictures below one heading. */
function panels(title: string, note: string, place: string, pictures: readonly HTMLElement[]): HTMLElement | undefined {
  if (pictures.length === 0) return undefined;
  const many = make('div', { class: 'hg-bench__many' }, ...pictures);
  return panel(place, make('h2', { class: 'hg-picture__title' }, title), make('p', { class: 'hg-note' }, note), many);
}

function summary(): HTMLElement | undefined {
  const all = means(figures);
  if (all.length === 0) return undefined;
  const note = `Geometric means over the programs, one thread; ${kReference} is 1 at the crossing.`;
  return panel(
    'left',
    createPicture(
      { title: 'Time against footprint', note, summary: meansSummary(all), table: meansTable(all), draw: scatter(all) },
      look,
    ),
  );
}

function code(): HTMLElement | undefined {
  const pictures = codePanels(figures).map((each) =>
    createPicture(
      { title: each.name, summary: barSummary(each), table: barTable(each), draw: barPlot(each, nameWidth) },
      look,
      'h3',
    ),
  );
  return panels('Code', 'Bytes of WebAssembly over an allocator that never frees.', 'code', pictures);
}

function priceOfThreads(): HTMLElement | undefined {
  const bars = lockPanel(figures);
  if (bars === undefined) return undefined;
  const note = 'ns a call that -pthread adds to the mix on one thread, where no lock is contended.';
  const picture = { title: 'The price of threads', note, summary: barSummary(bars), table: barTable(bars) };
  return panel('left', createPicture({ ...picture, draw: barPlot(bars, nameWidth) }, look));
}

function sized(group: 'micro' | 'micro-used', title: string, note: string): HTMLElement | undefined {
  const all = sizedPanels(figures, group);
  const values = all.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ y }) => y)));
  const axes = {
    unit: 'ns',
    values,
    tickX: (x: number) => bytesText(x).replace(/[\d.]+/, (digits) => String(Math.round(Number(digits)))),
    height: 280,
  };
  const pictures = all.map((each) =>
    createPicture(
      {
        title: each.name,
        note: each.note,
        summary: lineSummary(each, 'ns'),
        table: lineTable(each, 'size', bytesText),
        draw: linePlot(each, axes),
      },
      look,
      'h3',
    ),
  );
  return panels(title, note, 'wide', pictures);
}

function threads(): HTMLElement | undefined {
  const pictures = threadPanels(figures).map((each) => {
    const values = each.series.flatMap(({ points }) => points.map(({ y }) => y));
    const axes = { unit: 'ms', values, tickX: (x: number) => (x === 1 ? '1 thread' : String(x)), height: 210 };
    return createPicture(
      {
        title: each.name,
        summary: lineSummary(each, 'ms'),
        table: lineTable(each, 'threads', String),
        draw: linePlot(each, axes),
      },
      look,
      'h3',
    );
  });
  return panels(
    'Threads',
    'ms by number of threads. Each thread has the same work: up to as many threads as cores, a level line is perfect.',
    'wide',
    pictures,
  );
}

document.body.append(
  make(
    'main',
    { class: 'hg-bench' },
    header(),
    legend(),
    make(
      'div',
      { class: 'hg-bench__grid' },
      summary(),
      dots('Time', `Ratio to ${kReference}, smaller is faster.`, 'ratio', ['program', 'real'], 'right'),
      dots(
        'Footprint',
        `Linear memory from the heap’s base on, at the peak; ratio to ${kReference}.`,
        'footprintRatio',
        ['program', 'real'],
        'half',
      ),
      dots(
        'Footprint with threads',
        `Ratio to ${kReference}; a name’s last number is that of threads.`,
        'footprintRatio',
        ['threads'],
        'half',
      ),
      dots(
        'Time of recorded streams',
        `The calls of the real programs without their work; ratio to ${kReference}.`,
        'ratio',
        ['stream'],
        'half',
      ),
      dots('Footprint of recorded streams', `Ratio to ${kReference}.`, 'footprintRatio', ['stream'], 'half'),
      dots(
        'Time of programs in a used heap',
        `Ratio to ${kReference}. ${kUsedHeap}`,
        'ratio',
        ['program-used'],
        'half',
      ),
      dots(
        'Footprint of programs in a used heap',
        `Ratio to ${kReference}; the used heap itself included.`,
        'footprintRatio',
        ['program-used'],
        'half',
      ),
      sized('micro', 'One size at a time', 'ns per malloc and free, loop included, by block size.'),
      sized('micro-used', 'One size at a time in a used heap', `ns per malloc and free, by block size. ${kUsedHeap}`),
      dots(
        'Time of single calls',
        `Ratio to ${kReference}: random sizes, zeroed, aligned, growing blocks.`,
        'ratio',
        ['micro', 'micro-used'],
        'right',
      ),
      priceOfThreads(),
      threads(),
      code(),
    ),
  ),
);

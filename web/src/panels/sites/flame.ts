// The flame graph of blocks: who calls above, who allocates below, widths by bytes. With a search, in two orders, and as the
// sandwich of one function: its callers above it, what it calls below.
//
//   ┌──────────────── all ────────────────┐
//   ├──────── main ───────────┬─ worker ──┤
//   ├─ parse ─┬── draw ───────┤           │
//
//   flame.F1  Pressing a frame shows what is below it alone, and asks what it holds, so that the map lights its blocks. Pressing the top
//             one again leads back.
//   flame.F2  One frame is in the order of Tab; arrow keys go to the caller, the first called, and those beside it.
//   flame.F3  A function is told apart from its neighbours by brightness, which says nothing else.

import { frameHue } from '../../base/charts.ts';
import { formatBytes, formatCount, formatShare } from '../../base/format.ts';
import { rowOfFrame } from '../../base/frames.ts';
import { visible } from '../../base/visible.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { SiteNode } from '../../protocol/site_nodes.ts';
import { createFlameAxis } from './flame_axis.ts';
import { type FlameBox, type FlameOrder, layFlame, nameOf, sandwichOf } from './flame_layout.ts';
import type { Graph } from './lists.ts';
import { createSegments } from './segments.ts';

const kRow = 24;
const kMostRows = 24;
/** Narrower than this share of the width a frame is not drawn. */
const kLeastShare = 0.003;

export type FlameView = FlameOrder | 'sandwich';

interface DrawnBox extends FlameBox {
  readonly part: 'callers' | 'callees' | 'all';
}

/** `press`: the visitor asks what a frame and all that it calls holds. */
export function createFlame(press: (frame: string) => void) {
  let { nodes, of }: Graph = { nodes: [], of: 'in use' };
  let view: FlameView = 'heavy';
  let root = 0;
  let focused = '';
  const note = make('p', { class: 'hg-note hg-sites__note', role: 'status' });
  const graph = make('div', {
    class: 'hg-sites__flame',
    role: 'group',
    'aria-label': 'Call sites, widths by bytes',
    'aria-description': 'Arrow keys move. Enter lights the blocks of a frame, and shows what is below it.',
  });
  const axis = createFlameAxis();
  const views = createSegments<FlameView>(
    'Order of the flame graph',
    [
      ['heavy', 'Heaviest left'],
      ['old', 'Oldest left'],
      ['sandwich', 'Sandwich'],
    ],
    (next) => {
      view = next;
      draw();
    },
  );
  const search = makeSearch();
  const functions = createFunctionChoice(() => draw());
  const element = make(
    'div',
    { class: 'hg-sites__right' },
    make('div', { class: 'hg-sites__bar' }, views.element, search, functions.element),
    note,
    axis.element,
    graph,
  );
  search.addEventListener('input', draw);
  graph.addEventListener('keydown', (event) => {
    const next = neighbour(drawn, focused, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    focused = keyOf(next);
    showBoxes(drawn);
    graph.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  let drawn: readonly DrawnBox[] = [];

  const wanted = (): string => search.value.trim().toLowerCase();
  const found = ({ frame }: SiteNode): boolean => wanted() !== '' && frame.toLowerCase().includes(wanted());
  const showBoxes = boxShower(graph, {
    press(box) {
      focused = keyOf(box);
      const { node, part } = box;
      if (part === 'all') root = root === node.site ? node.parent : node.site;
      else functions.choose(node.frame);
      if (node.frame !== '') press(node.frame);
      draw();
    },
    isTop: (box) => keyOf(box) === focused,
    look: (box) => (wanted() === '' ? '' : found(box.node) ? 'found' : 'faded'),
    said: ({ node }) => boxText(node, totalOf(nodes)),
  });

  function draw(): void {
    drawn = view === 'sandwich' ? layBoth(nodes, functions.of(nodes)) : laid(nodes, root, 'all', view);
    functions.element.hidden = view !== 'sandwich';
    if (!drawn.some((box) => keyOf(box) === focused)) focused = drawn[0] === undefined ? '' : keyOf(drawn[0]);
    graph.style.height = `${(1 + Math.max(0, ...drawn.map(({ row }) => row))) * kRow}px`;
    showBoxes(drawn);
    axis.update(view === 'sandwich' ? 0 : widthOf(drawn));
    setText(
      note,
      wanted() === ''
        ? hintOf(view, root, nodes, of)
        : foundText(
            drawn.filter(({ node }) => found(node)),
            of,
          ),
    );
  }

  return {
    element,
    update(next: Graph): void {
      if (next.nodes === nodes) return;
      ({ nodes, of } = next);
      if (!nodes.some(({ site }) => site === root)) root = 0;
      draw();
    },
  };
}

const makeSearch = () =>
  make('input', {
    type: 'search',
    class: 'hg-input hg-sites__search',
    placeholder: 'Find a function',
    'aria-label': 'Find a function or file in the flame graph',
    spellcheck: 'false',
  });

/** Which function the sandwich is of: the one with most bytes of its own, until another is chosen. */
function createFunctionChoice(changed: () => void) {
  let chosen = '';
  const element = make('select', { class: 'hg-input hg-sites__function', 'aria-label': 'Function of the sandwich' });
  element.addEventListener('change', () => {
    chosen = element.value;
    changed();
  });
  return {
    element,
    choose(frame: string): void {
      chosen = frame;
    },
    of(nodes: readonly SiteNode[]): string {
      const sums = new Map<string, number>();
      for (const { frame, ownBytes } of nodes) if (frame !== '') sums.set(frame, (sums.get(frame) ?? 0) + ownBytes);
      const frames = [...sums].sort(([, one], [, two]) => two - one).map(([frame]) => frame);
      if (!sums.has(chosen)) chosen = frames[0] ?? '';
      if (frames.join() !== [...element.options].map(({ value }) => value).join())
        element.replaceChildren(...frames.map((frame) => make('option', { value: frame }, lineOf(frame))));
      element.value = chosen;
      return chosen;
    },
  };
}

/** Callers upside down, so that the function stands between them and what it calls. */
function layBoth(nodes: readonly SiteNode[], frame: string): readonly DrawnBox[] {
  const { callers, callees } = sandwichOf(nodes, frame);
  const above = laid(callers, 0, 'callers', 'heavy');
  const deepest = Math.max(0, ...above.map(({ row }) => row));
  return [
    ...above.filter(({ row }) => row > 0).map((box) => ({ ...box, row: deepest - box.row })),
    ...laid(callees, 0, 'callees', 'heavy').map((box) => ({ ...box, row: deepest + box.row })),
  ];
}

/** Of frames that were found; those below another one of them are in its bytes. */
function foundText(hits: readonly DrawnBox[], of: string): string {
  const inside = new Set(hits.map(({ node }) => node.site));
  const outer = hits.filter(({ node }) => !inside.has(node.parent));
  const sum = outer.reduce((total, { node }) => total + node.bytes, 0);
  if (hits.length === 0) return 'No frame that is drawn is called so.';
  return `${formatCount(hits.length)} ${hits.length === 1 ? 'frame' : 'frames'}, ${formatBytes(sum)} ${of} below them.`;
}

function hintOf(view: FlameView, root: number, nodes: readonly SiteNode[], of: string): string {
  const whole = `The width is ${formatBytes(totalOf(nodes))} ${of}.`;
  if (view === 'sandwich') return 'Callers above the function, what it calls below. Press a frame to see its own.';
  return root === 0
    ? `${whole} Press a frame: its blocks light on the map.`
    : 'Press the upper frame to see its caller again.';
}

/** QS1 */
const totalOf = (nodes: readonly SiteNode[]): number =>
  nodes.reduce((sum, { parent, bytes }) => sum + (parent === 0 ? bytes : 0), 0);

const keyOf = ({ part, node }: DrawnBox): string => `${part} ${node.site}`;

/** load load.cpp:12 */
export const lineOf = (frame: string): string => (frame === '' ? nameOf({ frame }) : rowOfFrame(frame));

const boxText = ({ frame, bytes, count }: SiteNode, all: number): string =>
  `${lineOf(frame)}: ${formatBytes(bytes)} in ${formatCount(count)} ${count === 1 ? 'block' : 'blocks'}, ${formatShare(bytes / Math.max(all, 1))}`;

const laid = (nodes: readonly SiteNode[], root: number, part: DrawnBox['part'], order: FlameOrder) =>
  layFlame(nodes, root, kLeastShare, order)
    .filter(({ row }) => row < kMostRows)
    .map((box): DrawnBox => ({ ...box, part }));

/** F2: what lies above, below and beside a box on the screen. */
function neighbour(boxes: readonly DrawnBox[], at: string, key: string): DrawnBox | undefined {
  const box = boxes.find((each) => keyOf(each) === at);
  if (box === undefined) return undefined;
  const middle = box.left + box.width / 2;
  const inRow = (row: number) => boxes.filter((each) => each.row === row).sort((one, two) => one.left - two.left);
  const beside = inRow(box.row);
  switch (key) {
    case 'ArrowUp':
      return (
        inRow(box.row - 1).find(({ left, width }) => left <= middle && middle <= left + width) ?? inRow(box.row - 1)[0]
      );
    case 'ArrowDown':
      return inRow(box.row + 1).find(({ left }) => left >= box.left - 1e-9);
    case 'ArrowRight':
      return beside[beside.indexOf(box) + 1];
    case 'ArrowLeft':
      return beside[beside.indexOf(box) - 1];
    default:
      return undefined;
  }
}

interface BoxLook {
  press(box: DrawnBox): void;
  isTop(box: DrawnBox): boolean;
  look(box: DrawnBox): string;
  said(box: DrawnBox): string;
}

function boxShower(graph: HTMLElement, { press, isTop, look, said }: BoxLook) {
  const boxOf = new WeakMap<Element, DrawnBox>();
  return keyedRows<DrawnBox, HTMLButtonElement>(
    graph,
    keyOf,
    () => {
      const button = make('button', { type: 'button' });
      button.addEventListener('click', () => {
        const box = boxOf.get(button);
        if (box !== undefined) press(box);
      });
      return button;
    },
    (button, box) => {
      boxOf.set(button, box);
      const { node, left, width, row } = box;
      button.className = `hg-sites__frame hg-sites__frame--${frameHue(nameOf({ frame: node.frame }))} hg-sites__frame--${look(box)}`;
      button.tabIndex = isTop(box) ? 0 : -1;
      Object.assign(button.style, { left: `${left * 100}%`, width: `${width * 100}%`, top: `${row * kRow}px` });
      const text = visible(said(box));
      if (button.title !== text) {
        button.title = text;
        button.setAttribute('aria-label', text);
      }
      setText(button, lineOf(node.frame));
    },
  );
}

/** The bytes that the whole width is. */
function widthOf([first]: readonly DrawnBox[]): number {
  return first === undefined ? 0 : first.node.bytes / first.width;
}

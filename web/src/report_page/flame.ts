// The flame graph of a report's page: who asked for the bytes, outermost frame on top. Laid out by d3-hierarchy.
//
//   all ────────────────────────────────────────
//   main ───────────────────────────── worker ──     a row a depth, the width a frame's share
//   load ────────────── show ────────
//
//   flame.K1  A click or Enter shows a frame and what is below it in full width; the frames above stay, to go back.
//   flame.K2  Arrow keys go to the caller, the first called, and the neighbours; one frame is in the order of Tab.
//   flame.K4  What is looked for stands out, and the note below says what all of it has: of a frame in another that fits, the outer one counts.
//   flame.K3  Frames narrower than kLeastWidth are not drawn. Their bytes are in the frame above, and in the table.

import { type HierarchyRectangularNode, hierarchy, partition } from 'd3-hierarchy';
import { frameHue } from '../base/charts.ts';
import { formatBytes, formatCount } from '../base/format.ts';
import { rowOfFrame } from '../base/frames.ts';
import { visible } from '../base/visible.ts';
import { type FlameTree, kFlameFigures } from '../report/flame_tree.ts';

interface Frame {
  readonly name: string;
  readonly value: number;
  readonly children: Frame[];
}
type Box = HierarchyRectangularNode<Frame>;

const kRow = 20; // pixels
const kLeastWidth = 2;

const kNames: Readonly<Record<(typeof kFlameFigures)[number], string>> = {
  peak_bytes: 'At the peak',
  live_bytes: 'Live at the end',
  allocated_bytes: 'Allocated in all',
  allocations: 'Blocks allocated',
};

// They stay when the graph is drawn anew.
let chosen = 0; // the figure that is shown
let sought = ''; // what is looked for

export function drawFlame(tree: FlameTree, width: number): Element | undefined {
  if (tree.nodes.length === 0) return undefined;
  const graph = make('div', 'flame');
  graph.setAttribute('role', 'group');
  graph.setAttribute('aria-label', 'Flame graph: arrow keys move, Enter shows a frame in full width');
  const buttons = kFlameFigures.map((figure, nth) => {
    const button = make('button', '', kNames[figure]);
    button.addEventListener('click', () => show(nth));
    return button;
  });
  const choice = make('p', 'flame-choice');
  choice.append(...buttons);
  const { search, note } = makeSearch(() => mark());
  let mark = () => {};
  const element = make('div', '');
  element.append(choice, search, graph, note);
  function show(nth: number): void {
    chosen = nth;
    for (const [i, button] of buttons.entries()) button.setAttribute('aria-pressed', String(i === nth));
    const written = kFlameFigures[nth] === 'allocations' ? formatCount : formatBytes;
    mark = drawInto(graph, layout(framesOf(tree, nth)), width, written, note);
  }
  show(chosen);
  return element;
}

function framesOf({ names, nodes }: FlameTree, nth: number): Frame {
  const frames = nodes.map((row) => ({
    name: names[row[1] ?? 0] ?? '',
    value: row[2 + nth] ?? 0,
    children: [] as Frame[],
  }));
  const roots = nodes.flatMap((row, i) => {
    const frame = frames[i];
    if (frame === undefined) return [];
    const parent = frames[row[0] ?? -1];
    if (parent === undefined) return [frame];
    parent.children.push(frame);
    return [];
  });
  return { name: 'all', value: roots.reduce((sum, { value }) => sum + value, 0), children: roots };
}

/** A frame's value holds that of the frames below it; d3 wants what is its own. */
function layout(root: Frame): Box {
  const own = ({ value, children }: Frame) =>
    Math.max(0, value - children.reduce((sum, child) => sum + child.value, 0));
  const sorted = hierarchy(root, (frame) => frame.children.filter(({ value }) => value > 0))
    .sum(own)
    .sort((x, y) => (y.value ?? 0) - (x.value ?? 0));
  return partition<Frame>()(sorted);
}

function makeSearch(changed: () => void) {
  const search = Object.assign(document.createElement('input'), {
    type: 'search',
    className: 'flame-search',
    placeholder: 'Find a function or file',
    value: sought,
    spellcheck: false,
  });
  search.setAttribute('aria-label', 'Find a function or file in the flame graph');
  search.addEventListener('input', () => {
    sought = search.value;
    changed();
  });
  const note = make('p', 'rest');
  note.setAttribute('role', 'status');
  return { search, note };
}

const isSought = (name: string): boolean => name.toLowerCase().includes(sought.trim().toLowerCase());

/** K4 */
function soughtIn({ data, children = [] }: Box): number {
  if (isSought(data.name)) return data.value;
  return children.reduce((sum, child) => sum + soughtIn(child), 0);
}

/** Returns what marks the frames that are looked for. */
function drawInto(
  graph: HTMLElement,
  root: Box,
  width: number,
  written: (value: number) => string,
  note: HTMLElement,
): () => void {
  let focus = root;
  const places = new Map<Element, Box>();
  const draw = () => {
    const scale = width / Math.max(focus.x1 - focus.x0, Number.MIN_VALUE);
    const above = new Set(focus.ancestors());
    places.clear();
    const boxes = root.descendants().flatMap((box) => {
      const isAbove = above.has(box);
      const left = isAbove ? 0 : (box.x0 - focus.x0) * scale;
      const wide = isAbove ? width : (box.x1 - box.x0) * scale;
      if (!isAbove && (wide < kLeastWidth || left < -0.5 || left + wide > width + 0.5)) return [];
      const button = boxElement(box, isAbove && box !== focus, root, written);
      Object.assign(button.style, { left: `${left}px`, width: `${wide - 1}px`, top: `${box.depth * kRow}px` });
      button.tabIndex = box === focus ? 0 : -1;
      button.addEventListener('click', () => {
        focus = box;
        draw();
        graph.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
      });
      places.set(button, box);
      return [button];
    });
    const deepest = Math.max(...[...places.values()].map(({ depth }) => depth));
    graph.style.height = `${(deepest + 1) * kRow}px`;
    graph.replaceChildren(...boxes);
    mark();
  };
  const mark = () => {
    const isSearch = sought.trim() !== '';
    for (const [button, { data }] of places) button.classList.toggle('other', isSearch && !isSought(data.name));
    const sum = (root.children ?? []).reduce((all, child) => all + soughtIn(child), 0);
    const share = root.data.value === 0 ? 0 : (100 * sum) / root.data.value;
    note.textContent = isSearch
      ? `${visible(sought.trim())}: ${written(sum)}, ${Number(share.toFixed(1))} % of all.`
      : '';
  };
  graph.onkeydown = (event) => {
    const box = places.get(event.target as Element);
    const next = box === undefined ? undefined : neighbour(box, event.key);
    const to = [...places].find(([, each]) => each === next)?.[0];
    if (!(to instanceof HTMLElement)) return;
    event.preventDefault();
    to.focus();
  };
  draw();
  return mark;
}

function neighbour(box: Box, key: string): Box | undefined {
  const beside = box.parent?.children ?? [];
  const nth = beside.indexOf(box);
  if (key === 'ArrowUp') return box.parent ?? undefined;
  if (key === 'ArrowDown') return box.children?.[0];
  if (key === 'ArrowRight') return beside[nth + 1];
  return key === 'ArrowLeft' ? beside[nth - 1] : undefined;
}

function boxElement(box: Box, faded: boolean, root: Box, written: (value: number) => string): HTMLButtonElement {
  const { name, value } = box.data;
  const share = root.data.value === 0 ? 0 : (100 * value) / root.data.value;
  const button = make('button', faded ? 'faded' : `frame-${frameHue(name.split('@')[0] ?? '')}`, rowOfFrame(name));
  button.title = `${visible(name)}: ${written(value)}, ${Number(share.toFixed(1))} %`;
  return button;
}

function make<Tag extends 'div' | 'p' | 'button'>(tag: Tag, name: string, text = ''): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), { className: name, textContent: visible(text) });
}

// Whose memory it is now: a flame graph of the calls that made the blocks in use, widths by bytes, and the calls with the
// most of them as a table. Pressing a frame shows what is below it alone.
//
//   ┌──────────────── all ────────────────┐
//   ├──────── main ───────────┬─ worker ──┤     outermost calls above, who allocates below
//   ├─ parse ─┬── draw ───────┤           │

import './sites.css';
import { formatBytes, formatCount } from '../../base/format.ts';
import { visible } from '../../base/visible.ts';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import { type FlameBox, layFlame, nameOf } from './flame_layout.ts';
import type { SiteNode, SitesFrame } from './part.ts';

const kRow = 20;
const kMostRows = 14;
/** Narrower than this share of the width a frame is not drawn. */
const kLeastShare = 0.004;
const kHues = 6;

export function createSites(parent: Element) {
  const note = make('p', { class: 'hg-note' });
  const flame = make('div', { class: 'hg-sites__flame', role: 'group', 'aria-label': 'Call sites, widths by bytes' });
  const body = make('tbody', {});
  const head = make(
    'thead',
    {},
    make('tr', {}, ...['call', 'bytes', 'blocks'].map((name) => make('th', { scope: 'col' }, name))),
  );
  const table = make(
    'table',
    { class: 'hg-sites__table hg-figures', 'aria-label': 'Calls by bytes in use' },
    head,
    body,
  );
  const element = make(
    'section',
    { class: 'hg-sites', 'aria-label': 'Sites' },
    make('h2', { class: 'hg-heading' }, 'In use, by the call that made it'),
    note,
    flame,
    table,
  );
  parent.append(element);
  let frame: SitesFrame | undefined;
  let root = 0;

  const showBoxes = boxShower(flame, ({ site, parent }) => {
    root = root === site ? parent : site;
    draw();
  });
  const showRows = rowShower(body, (site) => frame?.nodes.find((node) => node.site === site));

  function draw(): void {
    if (frame === undefined) return;
    const { nodes, known } = frame;
    if (!nodes.some(({ site }) => site === root)) root = 0;
    const boxes = layFlame(nodes, root, kLeastShare).filter(({ row }) => row < kMostRows);
    setText(
      note,
      !known
        ? 'This trace does not say which call made a block. Record a program with stacks, or instrument it with --stacks.'
        : root === 0
          ? 'Press a frame to see what is below it.'
          : 'Press the upper frame to see all again.',
    );
    flame.hidden = table.hidden = !known;
    flame.style.height = `${(1 + Math.max(0, ...boxes.map(({ row }) => row))) * kRow}px`;
    showBoxes(boxes);
    showRows(
      nodes
        .filter(({ ownCount }) => ownCount > 0)
        .sort((one, two) => two.ownBytes - one.ownBytes)
        .slice(0, 20),
    );
  }

  return {
    element,
    update(next: SitesFrame | undefined): void {
      if (next === undefined || next === frame) return;
      frame = next;
      draw();
    },
    dispose(): void {
      element.remove();
    },
  };
}

function boxShower(flame: HTMLElement, press: (node: SiteNode) => void) {
  return keyedRows<FlameBox, HTMLButtonElement>(
    flame,
    (box) => box.node.site,
    ({ node }) => {
      const button = make('button', { type: 'button', class: `hg-sites__frame hg-sites__frame--${node.site % kHues}` });
      button.addEventListener('click', () => press(node));
      return button;
    },
    (button, { node, left, width, row }) => {
      const said = `${visible(nameOf(node))}: ${formatBytes(node.bytes)} in ${formatCount(node.count)} blocks`;
      button.style.left = `${left * 100}%`;
      button.style.width = `${width * 100}%`;
      button.style.top = `${row * kRow}px`;
      if (button.title !== said) {
        button.title = said;
        button.setAttribute('aria-label', said);
      }
      setText(button, nameOf(node));
    },
  );
}

function rowShower(body: HTMLElement, nodeOf: (site: number) => SiteNode | undefined) {
  /** Many calls have one name: who made this one tells them apart. */
  function callerOf({ parent }: SiteNode): HTMLElement | undefined {
    const caller = parent === 0 ? undefined : nodeOf(parent);
    return caller === undefined ? undefined : make('span', { class: 'hg-dim' }, ` ← ${nameOf(caller)}`);
  }
  return keyedRows<SiteNode, HTMLTableRowElement>(
    body,
    (node) => node.site,
    (node) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row', title: node.frame }, nameOf(node), callerOf(node)),
        make('td', {}),
        make('td', {}),
      ),
    (row, node) => {
      const [, size, count] = row.children;
      if (size !== undefined) setText(size, formatBytes(node.ownBytes));
      if (count !== undefined) setText(count, formatCount(node.ownCount));
    },
  );
}

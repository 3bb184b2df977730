// The pools of a heap, each kind in its own words. Of the chosen one every block as a tile in the order of the pool's
// tree, fewest free nodes first, which is the order in which nodes are handed out; then the full ones, which are not in
// the tree. Pools that keep one list for all blocks have them by address.
//
//   ┌──────┐ ┌──────┐ ┌──────┐ │ ┌──────┐      the level is the share of nodes in use,
//   │▓▓▓ 4 │ │▓▓ 37 │ │  256 │ │ │▓▓▓▓ 0│      the number counts the free ones
//   └──────┘ └──────┘ └──────┘ │ └──────┘
//      in tree order             full
//
// The tiles are one stop of the Tab key; arrows move inside.

import './pools.css';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { focusedBeside, keyedRows, make, setText } from '../../dom/dom.ts';
import { inTreeOrder, poolTitle } from '../../map/pool_names.ts';
import type { ListsPart, PoolBlocks, PoolRow } from './part.ts';
import { type PoolFact, poolFacts, poolNote, tileName } from './pool_facts.ts';

export interface PoolsCallbacks {
  select(pool: number): void;
  /** Show this block in the map. */
  selectBlock(address: number, size: number): void;
}

interface Tile {
  readonly address: number;
  readonly freeNodes: number;
  readonly full: boolean;
}

const kMostTiles = 64;
const kNoPools = { pools: [], poolsTotal: 0, poolBlocks: undefined };

export function createPools(parent: Element, callbacks: PoolsCallbacks) {
  const heading = make('h2', { class: 'hg-heading' }, 'Pools');
  const choices = make('div', { class: 'hg-pools__choices', role: 'group', 'aria-label': 'Pool' });
  const facts = make('dl', { class: 'hg-facts', hidden: true });
  const tiles = make('div', { class: 'hg-pools__tiles', role: 'group', 'aria-label': 'Blocks in tree order' });
  const note = make('p', { class: 'hg-note hg-pools__note' });
  const element = make('section', { class: 'hg-pools' }, heading, choices, facts, note, tiles);
  parent.append(element);

  let blockBytes = 0;
  let marked: number | undefined;
  let shownRow: PoolRow | undefined;

  const showChoices = choiceShower(choices, callbacks);
  const showFacts = factShower(facts);
  const showTiles = keyedRows<Tile, HTMLButtonElement>(
    tiles,
    (tile) => tile.address,
    (tile) => {
      const button = make('button', { type: 'button', class: 'hg-pools__tile', tabindex: -1 });
      button.addEventListener('click', () => callbacks.selectBlock(tile.address, blockBytes));
      return button;
    },
    (button, tile) => {
      setText(button, String(tile.freeNodes));
      const used = Math.min(1, Math.max(0, 1 - tile.freeNodes / Math.max(1, shownRow?.nodesPerBlock ?? 1)));
      button.style.setProperty('--used', `${Math.round(used * 100)}%`);
      button.classList.toggle('hg-pools__tile--full', tile.full);
      button.setAttribute('aria-pressed', String(tile.address === marked));
      const name = shownRow && tileName(shownRow, formatAddress(tile.address), tile.freeNodes);
      if (name !== undefined && button.title !== name) {
        button.title = name;
        button.setAttribute('aria-label', name);
      }
    },
  );
  moveByArrows(tiles);

  return {
    element,
    /** `block` is the selected chunk's block, marked among the tiles. */
    update(
      { pools, poolsTotal, poolBlocks: shown }: Pick<ListsPart, 'pools' | 'poolsTotal' | 'poolBlocks'> = kNoPools,
      block: number | undefined,
    ): void {
      const pool = shown?.pool;
      const row = pools.find((candidate) => candidate.pool === pool);
      marked = block;
      setText(heading, row === undefined ? 'Pools' : poolTitle(row));
      choices.hidden = pools.length < 2;
      showChoices(pools, pool);
      shownRow = row;
      facts.hidden = row === undefined;
      if (row === undefined) {
        showTiles([]);
        setText(note, choiceText(pools.length, poolsTotal));
        return;
      }
      blockBytes = row.subBlocks > 0 ? row.subBlocks * row.subBlockBytes : row.nodesPerBlock * row.nodeSize;
      showFacts(poolFacts(row).flatMap((fact) => [{ ...fact, part: 'dt' } as const, { ...fact, part: 'dd' } as const]));
      tiles.setAttribute('aria-label', inTreeOrder(row.shape) ? 'Blocks in tree order' : 'Blocks by address');
      const known = shown?.pool === row.pool ? shown : undefined;
      const all = known === undefined ? [] : tilesOf(known);
      showTiles(all.slice(0, kMostTiles));
      // The tiles share one stop of the Tab key: the focused one, else the first.
      const focused = focusedBeside(tiles);
      const stop = tiles.contains(focused) ? focused : tiles.firstElementChild;
      for (const tile of tiles.children) tile.setAttribute('tabindex', tile === stop ? '0' : '-1');
      setText(note, poolNote(row, Math.max(0, all.length - kMostTiles)));
    },
    dispose(): void {
      element.remove();
    },
  };
}

function choiceShower(choices: HTMLElement, { select }: PoolsCallbacks) {
  let chosen: number | undefined;
  const show = keyedRows<PoolRow, HTMLButtonElement>(
    choices,
    (row) => row.pool,
    (row) => {
      const button = make('button', { type: 'button', class: 'hg-segment' });
      button.addEventListener('click', () => select(row.pool));
      return button;
    },
    (button, row) => {
      setText(button, `#${row.pool} · ${formatBytes(row.nodeSize)}`);
      button.setAttribute('aria-pressed', String(row.pool === chosen));
    },
  );
  return (pools: readonly PoolRow[], pool: number | undefined): void => {
    chosen = pool;
    show(pools);
  };
}

const factShower = (facts: HTMLElement) =>
  keyedRows<PoolFact & { readonly part: 'dt' | 'dd' }, HTMLElement>(
    facts,
    (fact) => `${fact.part} ${fact.name}`,
    (fact) => make(fact.part),
    (element, fact) => setText(element, fact.part === 'dt' ? fact.name : fact.text),
  );

function moveByArrows(tiles: HTMLElement): void {
  tiles.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = [...tiles.children].indexOf(event.target as Element);
    const next = by === undefined || at < 0 ? undefined : tiles.children[at + by];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
}

function tilesOf(blocks: PoolBlocks): Tile[] {
  return Array.from(blocks.address, (address, index) => ({
    address,
    freeNodes: blocks.freeNodes[index] ?? 0,
    full: index >= blocks.treeCount && (blocks.freeNodes[index] ?? 0) === 0,
  }));
}

function choiceText(listed: number, total: number): string {
  if (total === 0) return 'No pool lives in this heap.';
  return listed < total
    ? `Choose a pool. ${formatCount(listed)} of ${formatCount(total)} are listed.`
    : 'Choose a pool.';
}

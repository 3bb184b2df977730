// The pools of a heap. Of the chosen one every block as a tile in the order of the pool's tree, fewest free nodes
// first, which is the order in which nodes are handed out; then the full ones, which are not in the tree.
//
//   ┌──────┐ ┌──────┐ ┌──────┐ │ ┌──────┐      the level is the share of nodes in use,
//   │▓▓▓ 4 │ │▓▓ 37 │ │  256 │ │ │▓▓▓▓ 0│      the number counts the free ones
//   └──────┘ └──────┘ └──────┘ │ └──────┘
//      in tree order             full
//
// The tiles are one stop of the Tab key; arrows move inside.

import './pools.css';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import type { PoolBlocks, PoolRow } from '../../protocol/frames.ts';
import { keyedRows, make, setText } from '../dom.ts';

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

const kShapeTexts: Readonly<Record<PoolRow['shape'], string>> = {
  segregated: 'Segregated pool',
  adaptive: 'Adaptive pool',
  aligned_only: 'Adaptive pool, aligned only',
};

export function createPools(parent: Element, callbacks: PoolsCallbacks) {
  const heading = make('h2', { class: 'hg-heading' }, 'Pools');
  const choices = make('div', { class: 'hg-pools__choices', role: 'group', 'aria-label': 'Pool' });
  const facts = make('dl', { class: 'hg-facts', hidden: true });
  const tiles = make('div', { class: 'hg-pools__tiles', role: 'group', 'aria-label': 'Blocks in tree order' });
  const note = make('p', { class: 'hg-note hg-pools__note' });
  const element = make('section', { class: 'hg-pools' }, heading, choices, facts, tiles, note);
  parent.append(element);

  let chosen: number | undefined;
  let nodesPerBlock = 1;
  let blockBytes = 0;
  let marked: number | undefined;

  const showChoices = keyedRows<PoolRow, HTMLButtonElement>(
    choices,
    (row) => row.pool,
    (row) => {
      const button = make('button', { type: 'button', class: 'hg-segment' });
      button.addEventListener('click', () => callbacks.select(row.pool));
      return button;
    },
    (button, row) => {
      setText(button, `#${row.pool} · ${formatBytes(row.nodeSize)}`);
      button.setAttribute('aria-pressed', String(row.pool === chosen));
    },
  );
  const fact = (name: string) => {
    const value = make('dd');
    facts.append(make('dt', {}, name), value);
    return value;
  };
  const nodes = fact('nodes in use');
  const free = fact('nodes free');
  const blocks = fact('blocks');

  const showTiles = keyedRows<Tile, HTMLButtonElement>(
    tiles,
    (tile) => tile.address,
    (tile) => {
      const button = make('button', { type: 'button', class: 'hg-pools__tile', tabindex: -1 });
      button.addEventListener('click', () => callbacks.selectBlock(tile.address, blockBytes));
      return button;
    },
    (button, tile) => {
      setText(button, tile.full ? '0' : String(tile.freeNodes));
      const used = Math.min(1, Math.max(0, 1 - tile.freeNodes / nodesPerBlock));
      button.style.setProperty('--used', `${Math.round(used * 100)}%`);
      button.classList.toggle('hg-pools__tile--full', tile.full);
      button.setAttribute('aria-pressed', String(tile.address === marked));
      const name = `block ${formatAddress(tile.address)}, ${tile.full ? 0 : tile.freeNodes} of ${nodesPerBlock} nodes free`;
      if (button.title !== name) {
        button.title = name;
        button.setAttribute('aria-label', name);
      }
    },
  );
  tiles.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = [...tiles.children].indexOf(event.target as Element);
    const next = by === undefined || at < 0 ? undefined : tiles.children[at + by];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });

  return {
    element,
    /** `block` is the selected chunk's block, marked among the tiles. */
    update(
      pools: readonly PoolRow[],
      shown: PoolBlocks | undefined,
      pool: number | undefined,
      block: number | undefined,
    ): void {
      const row = pools.find((candidate) => candidate.pool === pool);
      chosen = pool;
      marked = block;
      setText(heading, row === undefined ? 'Pools' : `${kShapeTexts[row.shape]} · ${formatBytes(row.nodeSize)}`);
      choices.hidden = pools.length < 2;
      showChoices(pools);
      facts.hidden = row === undefined;
      if (row === undefined) {
        showTiles([]);
        setText(note, pools.length === 0 ? 'No pool lives in this heap.' : 'Choose a pool.');
        return;
      }
      nodesPerBlock = row.nodesPerBlock;
      blockBytes = row.subBlocks > 0 ? row.subBlocks * row.subBlockBytes : row.nodesPerBlock * row.nodeSize;
      setText(nodes, formatCount(row.nodesInUse));
      setText(free, formatCount(row.nodesFree));
      setText(blocks, `${formatCount(row.blocks)} × ${formatBytes(blockBytes)}`);
      const known = shown?.pool === row.pool ? shown : undefined;
      const all = known === undefined ? [] : tilesOf(known);
      showTiles(all.slice(0, kMostTiles));
      // The tiles share one stop of the Tab key: the focused one, else the first.
      const stop = tiles.contains(document.activeElement) ? document.activeElement : tiles.firstElementChild;
      for (const tile of tiles.children) tile.setAttribute('tabindex', tile === stop ? '0' : '-1');
      const more = all.length > kMostTiles ? `, and ${formatCount(all.length - kMostTiles)} blocks more` : '';
      setText(
        note,
        row.shape === 'segregated'
          ? 'Blocks by address; their free nodes share one list.'
          : `Free nodes by block, in tree order, then the full ones${more}`,
      );
    },
    destroy(): void {
      element.remove();
    },
  };
}

function tilesOf(blocks: PoolBlocks): Tile[] {
  return Array.from(blocks.address, (address, index) => ({
    address,
    freeNodes: blocks.freeNodes[index] ?? 0,
    full: index >= blocks.treeCount && (blocks.freeNodes[index] ?? 0) === 0,
  }));
}

// What might pay, before it is tried: groups of blocks of one site (without sites: of one size) for which a pool, a reserve or
// growth in place comes into question. Nothing of this is given yet; measured_advice.ts replays each first.
//
//   pool       blocks of one size up to kLargestNode that are never resized, many of them live at once
//   reserve    blocks that grow by realloc, step by step; reserve: what nine in ten of them need at most
//   in_place   chains of blocks, each the larger copy of the one before (block_lives.ts, V2)
//
//   D1  The candidates of a kind are ranked by what they touch: allocations, or bytes copied. The first kMostTried are tried.

import { type BlockLives, isNone } from './block_lives.ts';
import { kindOfWord, OperationKind } from './operation_list.ts';
import type { ProgramOperations } from './operations_of_trace.ts';

export const kMostTried = 4; // of a kind
const kLargestNode = 1024;
const kLeastLive = 100;
const kLeastSteps = 3;
const kLeastCopied = 16_384;
const kReserveRank = 0.9;

export type CandidateKind = 'pool' | 'reserve' | 'in_place';

export interface AdviceCandidate {
  readonly kind: CandidateKind;
  /** 0: blocks of this size wherever they come from. */
  readonly site: number;
  /** Of the blocks at their birth; of in_place that of the first block of the smallest chain. */
  readonly requestBytes: number;
  /** How many blocks, or chains, it is about. */
  readonly blocks: number;
  /** Of kind reserve: what is asked for at birth instead. */
  readonly reserveBytes: number;
  /** 1 for each life it is about. */
  readonly chosen: Uint8Array;
  readonly weight: number; // D1
}

export function adviceCandidates(
  { words, sites }: Pick<ProgramOperations, 'words' | 'sites'>,
  lives: BlockLives,
): readonly AdviceCandidate[] {
  const groups = new Groups(lives, sites);
  return [
    ...best(groups.of(poolable(words, lives)).flatMap((group) => poolFor(group, lives))),
    ...best(
      groups.of((life) => (lives.grew[life] as number) >= kLeastSteps).flatMap((group) => reserveFor(group, lives)),
    ),
    ...best(chainsFor(lives, groups)),
  ];
}

const best = (all: readonly AdviceCandidate[]): readonly AdviceCandidate[] =>
  [...all].sort((x, y) => y.weight - x.weight).slice(0, kMostTried);

interface Group {
  readonly site: number;
  readonly size: number;
  readonly lives: number[];
}

/** Lives by site and size at birth. */
class Groups {
  readonly #lives: BlockLives;
  readonly #sites: Uint32Array;

  constructor(lives: BlockLives, sites: Uint32Array) {
    this.#lives = lives;
    this.#sites = sites;
  }

  siteOf(life: number): number {
    return this.#sites[this.#lives.born.at(life)] ?? 0;
  }

  of(isOne: (life: number) => boolean): readonly Group[] {
    const groups = new Map<string, Group>();
    for (let life = 0; life < this.#lives.count; ++life) {
      if (!isOne(life)) continue;
      const site = this.siteOf(life);
      const size = this.#lives.first.at(life);
      const key = `${site} ${size}`;
      const group = groups.get(key) ?? { site, size, lives: [] };
      group.lives.push(life);
      groups.set(key, group);
    }
    return [...groups.values()];
  }
}

function poolable(words: Uint32Array, lives: BlockLives): (life: number) => boolean {
  return (life) => {
    const size = lives.first.at(life);
    const kind = kindOfWord(words[lives.born.at(life) * 2] as number);
    return size > 0 && size <= kLargestNode && lives.resized[life] === 0 && kind !== OperationKind.aligned;
  };
}

function poolFor(group: Group, lives: BlockLives): readonly AdviceCandidate[] {
  if (group.lives.length < kLeastLive || mostAtOnce(group.lives, lives) < kLeastLive) return [];
  return [candidate('pool', group.site, group.size, group.lives, lives.count, { weight: group.lives.length })];
}

function reserveFor(group: Group, lives: BlockLives): readonly AdviceCandidate[] {
  const weight = group.lives.reduce((sum, life) => sum + (lives.copied[life] as number), 0);
  if (weight < kLeastCopied) return [];
  const sizes = group.lives.map((life) => lives.greatest[life] as number).sort((x, y) => x - y);
  const reserveBytes = sizes[Math.floor((sizes.length - 1) * kReserveRank)] ?? 0;
  return [candidate('reserve', group.site, group.size, group.lives, lives.count, { weight, reserveBytes })];
}

/** Chains by the site of their blocks; without sites all of them are one group. */
function chainsFor(lives: BlockLives, groups: Groups): readonly AdviceCandidate[] {
  const bySite = new Map<number, { chains: number; weight: number; smallest: number; lives: number[] }>();
  const isReplaced = new Uint8Array(lives.count);
  for (let life = 0; life < lives.count; ++life) {
    const older = lives.replaces[life] as number;
    if (!isNone(older)) isReplaced[older] = 1;
  }
  for (let last = 0; last < lives.count; ++last) {
    if (isReplaced[last] === 1 || isNone(lives.replaces[last] as number)) continue;
    const chain = chainUpTo(last, lives);
    if (chain.length <= kLeastSteps) continue;
    const site = groups.siteOf(last);
    const group = bySite.get(site) ?? { chains: 0, weight: 0, smallest: Number.POSITIVE_INFINITY, lives: [] };
    group.chains += 1;
    group.lives.push(...chain);
    group.smallest = Math.min(group.smallest, lives.first.at(chain[chain.length - 1] as number));
    for (const life of chain.slice(1)) group.weight += lives.greatest[life] as number;
    bySite.set(site, group);
  }
  return [...bySite]
    .filter(([, { weight }]) => weight >= kLeastCopied)
    .map(([site, { chains, weight, smallest, lives: all }]) => ({
      ...candidate('in_place', site, smallest, all, lives.count, { weight }),
      blocks: chains,
    }));
}

/** The newest life first. */
function chainUpTo(last: number, lives: BlockLives): number[] {
  const chain = [last];
  for (let life = lives.replaces[last] as number; !isNone(life); life = lives.replaces[life] as number)
    chain.push(life);
  return chain;
}

function candidate(
  kind: CandidateKind,
  site: number,
  requestBytes: number,
  about: readonly number[],
  count: number,
  { weight, reserveBytes = 0 }: { readonly weight: number; readonly reserveBytes?: number },
): AdviceCandidate {
  const chosen = new Uint8Array(count);
  for (const life of about) chosen[life] = 1;
  return { kind, site, requestBytes, blocks: about.length, reserveBytes, chosen, weight };
}

function mostAtOnce(about: readonly number[], lives: BlockLives): number {
  const ends = about.map((life) => lives.ended[life] as number).sort((x, y) => x - y);
  let gone = 0;
  let most = 0;
  about.forEach((life, nth) => {
    while (gone < ends.length && (ends[gone] as number) < lives.born.at(life)) gone += 1;
    most = Math.max(most, nth + 1 - gone);
  });
  return most;
}

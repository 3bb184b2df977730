// The allocators that a replay knows, and what it says as plain JSON: the types of replay_schema.ts.

import type { Described } from '../document/schema.ts';
import type { kReplaySchema } from './replay_schema.ts';

export const kReplayVersion = 1;

export const kAllocatorNames = ['fast', 'small', 'hardened', 'row-d', 'dlmalloc', 'emmalloc', 'mimalloc'] as const;
export type AllocatorName = (typeof kAllocatorNames)[number];

export const kAllocatorTexts: Readonly<Record<AllocatorName, string>> = {
  fast: 'heapglass, profile fast',
  small: 'heapglass, profile small',
  hardened: 'heapglass, profile hardened',
  'row-d': "heapglass's size classes with thread caches (hg_small_*) as malloc",
  dlmalloc: "Emscripten's default",
  emmalloc: "Emscripten's smallest",
  mimalloc: "Emscripten's for threads",
};

/** The names given as `fast,dlmalloc`; a sentence when one is none. */
export function parseAllocators(text: string, known: readonly AllocatorName[]): readonly AllocatorName[] | string {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong !== undefined) return `there is no allocator "${wrong}" to replay on; there are ${known.join(', ')}`;
  return known.filter((name) => names.includes(name));
}

export type ReplayReport = Described<typeof kReplaySchema>;
export type ProgramFacts = ReplayReport['program'];
export type AllocatorFacts = ReplayReport['allocators'][number];
export type TimeFacts = NonNullable<AllocatorFacts['time']>;
export type AdviceFacts = NonNullable<ReplayReport['advice']>;
export type Advice = AdviceFacts['list'][number];

/** The allocators that carried out everything. */
export const presentOf = ({ allocators }: ReplayReport): readonly AllocatorFacts[] =>
  allocators.filter(({ absent, failed }) => absent === null && failed === null);

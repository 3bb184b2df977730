// The table: kind of event -> what it is about, apply, undo, and the list of the history that it goes to. The compiler names a kind
// that has no entry.

import { EventKind } from '../../protocol/event_layout.ts';
import type { Rule } from './rule.ts';
import { kCachedRules } from './rules_cached.ts';
import { kChunkRules } from './rules_chunks.ts';
import { kFactRules } from './rules_facts.ts';
import { kHeapRules } from './rules_heaps.ts';
import { kPlaceRules } from './rules_places.ts';
import { kPoolRules } from './rules_pools.ts';
import { kSlabRules } from './rules_slabs.ts';

type KindName = keyof typeof EventKind;

const kRules: Readonly<Record<KindName, Rule>> = {
  ...kHeapRules,
  ...kChunkRules,
  ...kPlaceRules,
  ...kPoolRules,
  ...kCachedRules,
  ...kSlabRules,
  ...kFactRules,
};

const kKindBits = 8;

/** By kind; undefined where there is no event of that kind. */
export const kRuleOf: readonly (Rule | undefined)[] = byKind();

function byKind(): (Rule | undefined)[] {
  const rules = new Array<Rule | undefined>(1 << kKindBits).fill(undefined);
  for (const name of Object.keys(kRules) as KindName[]) rules[EventKind[name]] = kRules[name];
  return rules;
}

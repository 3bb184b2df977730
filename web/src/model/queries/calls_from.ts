// Which calls come from a function or file that is named: the words of Sites, as the question line searches them.
//
//   calls.1  A call comes from a name when all words of it stand in one frame of its stack, library frames included: index_word,
//            words.cpp:27, or both as an answer writes them, index_word (words.cpp:27).
//   calls.2  A site is read once; an event then costs a look at its kind, and a call one at its site.

import { EventKind } from '../../protocol/event_layout.ts';
import { kindOf } from '../../trace/trace.ts';
import type { History } from '../time/history.ts';

/** Whether an event begins such a call. */
export function callsFrom({ trace, sites, operations }: History, text: string): (event: number) => boolean {
  const words = text
    .toLowerCase()
    .split(/[\s()`]+/)
    .filter((word) => word !== '');
  if (!sites.areEntered || words.length === 0) return () => false;
  const named = new Set<number>();
  for (const { site, parent, frame } of sites.all()) {
    const said = frame.toLowerCase();
    if (named.has(parent) || words.every((word) => said.includes(word))) named.add(site);
  }
  if (named.size === 0) return () => false;
  return (event) => kindOf(trace.head(event)) === EventKind.opBegun && named.has(sites.ofEvent(event, operations));
}

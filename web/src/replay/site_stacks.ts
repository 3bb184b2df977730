// The call stack of each site of a trace, for advice that names where blocks come from.

import { Sites } from '../model/time/sites.ts';
import { EventKind } from '../protocol/event_layout.ts';
import type { Trace } from '../trace/trace.ts';

/** site to its frames, innermost first; none when it is not known. */
export function siteStacks(trace: Trace): (site: number) => readonly string[] {
  const sites = new Sites(trace);
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.stringDefined || kind === EventKind.siteDefined) sites.note(kind, event);
  }
  return (site) => sites.stack(site);
}

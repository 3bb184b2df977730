// Sites as the events alone tell them.

import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { textBefore } from '../../../web/src/trace/texts.ts';
import type { Trace } from '../../../web/src/trace/trace.ts';

/** The tree of sites in a trace, read without the model. */
export function sitesOf(trace: Trace) {
  const strings = new Map<number, string>();
  const nodes = new Map<number, { readonly parent: number; readonly string: number }>();
  const entered: number[] = [];
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.stringDefined) strings.set(trace.a(event), textBefore(trace, event));
    if (kind === EventKind.siteDefined) nodes.set(trace.a(event), { parent: trace.b(event), string: trace.c(event) });
    if (kind === EventKind.siteEntered) entered.push(trace.a(event));
  }
  const pathOf = (site: number): string[] => {
    const path: string[] = [];
    for (let next = site; next !== 0; ) {
      const node = nodes.get(next);
      if (node === undefined) throw new Error(`site ${next} is not defined`);
      path.push(strings.get(node.string) ?? '?');
      next = node.parent;
    }
    return path.reverse();
  };
  return { entered, pathOf, count: nodes.size };
}

// A program linked with heapglass and instrumented with --stacks (linked.ts), as it is instantiated: its table of contexts, and where the
// sites that it meets for the first time are written, the program's own ring.
//
//   table ── stack(context) ─▶ context_book.ts ─▶ site_writer.ts, as for any module ─▶ hg_recorder_put: text, string_defined, site_defined
//                                └─ between hg_recorder_begin_sites and hg_recorder_leave; numbers are hg_recorder_number's
//
//   A site is defined once a thread: two threads may give the same stack two numbers, which reports sum by stack.

import { kContextSection, kNamespace, kSitesExports } from './recorder_names.ts';
import { ownNumbers, type Put, siteAsker } from './site_writer.ts';

/** kSitesExports of an instance. Without threads there is no lock. */
interface Program {
  readonly begin?: () => number;
  readonly end?: (entered: number) => void;
  readonly number: () => number;
  readonly put: Put;
}

export interface LinkedSites {
  /** The table's exports, for the program to import. */
  readonly imports: WebAssembly.Exports;
  /** To be called with the instance before anything of it runs. */
  connect(instance: WebAssembly.Instance): void;
}

/** Undefined for any other module. */
export function linkedSites(
  module: WebAssembly.Module,
  Instance: typeof WebAssembly.Instance,
): LinkedSites | undefined {
  const [bytes] = WebAssembly.Module.customSections(module, kContextSection);
  if (bytes === undefined) return undefined;
  let program: Program = { number: () => 0, put() {} };
  const outside = { glue: '', placed: <T>(frame: T) => frame }; // its callers are not asked for
  const numbers = ownNumbers(() => program.number());
  const asker = siteAsker(module, (...record) => program.put(...record), outside, numbers);
  const stack = (context: bigint): number => {
    const entered = program.begin?.() ?? 0;
    const site = asker.stack(context);
    program.end?.(entered);
    return site;
  };
  const table = new Instance(new WebAssembly.Module(bytes), { [kNamespace]: { stack } });
  return {
    imports: table.exports,
    connect({ exports }) {
      const found = Object.entries(kSitesExports).map(([use, name]) => [use, exports[name]]);
      program = Object.fromEntries(found.filter(([, func]) => func !== undefined));
    },
  };
}

// A program linked with heapglass and instrumented with --stacks (linked.ts), as it is instantiated: its table of contexts, and where the
// sites that it meets for the first time are defined, the program itself.
//
//   table ── stack(context) ─▶ context_book.ts ─▶ hg_recorder_define_site(parent, function, offset) ─▶ number, the program's
//
//   A site is defined once a thread: two threads may give the same stack two numbers, which reports sum by stack.

import { kContextSection, kDefineExport, kNamespace } from './recorder_names.ts';
import { askerIn } from './site_writer.ts';

type DefineInProgram = (parent: number, func: number, offset: number) => number;

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
  let define: DefineInProgram | undefined;
  const sites = new Map<string, number>();
  const asker = askerIn(module, (parent, { at, function: index, original }) => {
    const key = `${parent} ${at}`;
    const known = sites.get(key);
    if (known !== undefined) return known;
    const site = define?.(parent, index, original) ?? 0;
    sites.set(key, site);
    return site;
  });
  if (asker === undefined) return undefined;
  const table = new Instance(new WebAssembly.Module(bytes), { [kNamespace]: { stack: asker.stack } });
  return {
    imports: table.exports,
    connect({ exports }) {
      define = exports[kDefineExport] as DefineInProgram;
    },
  };
}

// What an instance keeps outside of its memory, read and written: its mutable globals (the stack pointer among them), and what JavaScript
// put into its tables.
//
//  outside.O1  A number goes from one instance to another, and into bytes. A function or a reference that JavaScript put into a table
//      belongs to that JavaScript: where it is, is known, and no more.

import type { ExposedModule } from './exposed_module.ts';
import type { AddedFunction, StandingTable } from './forwarders.ts';

export type GlobalValue = number | bigint;

export interface Outside {
  globals(): GlobalValue[];
  setGlobals(values: readonly GlobalValue[]): void;
  /** Of each table of functions. */
  added(): AddedFunction[][];
  /** Whether a table holds references that are no functions. */
  hasReferences(): boolean;
}

export function outsideOf(
  exposed: ExposedModule,
  instance: () => WebAssembly.Instance,
  tables: readonly StandingTable[],
): Outside {
  return {
    globals: () => readGlobals(instance(), exposed),
    setGlobals: (values) => writeGlobals(instance(), exposed, values),
    added: () => tables.map((table) => table.added()),
    hasReferences: () => exposed.tables.some((each) => !each.functions && holdsAny(instance(), each.name)),
  };
}

const globalOf = (instance: WebAssembly.Instance, name: string): WebAssembly.Global =>
  instance.exports[name] as WebAssembly.Global;

export const readGlobals = (instance: WebAssembly.Instance, exposed: ExposedModule): GlobalValue[] =>
  exposed.globals.map((name) => globalOf(instance, name).value as GlobalValue);

export function writeGlobals(
  instance: WebAssembly.Instance,
  exposed: ExposedModule,
  values: readonly GlobalValue[],
): void {
  exposed.globals.forEach((name, i) => {
    globalOf(instance, name).value = values[i];
  });
}

function holdsAny(instance: WebAssembly.Instance, name: string): boolean {
  const table = instance.exports[name] as WebAssembly.Table;
  for (let i = 0; i < table.length; ++i) if (table.get(i) !== null && table.get(i) !== undefined) return true;
  return false;
}

// Functions and tables that stay when the instance behind them is exchanged.
//
//   program ─▶ forwarder ─▶ cell.call ─▶ function of the current instance
//
//   forwarders.F1  A function has one forwarder, whatever name or table entry it was found by, as an exported function is one object.
//   forwarders.F2  A forwarder counts nothing, so that a call costs what it costs without. Whether one has not returned is asked of the engine's
//      stack (running.ts); where that says nothing, calls are counted, and what is thrown through a forwarder leaves it, too.
//   forwarders.F3  A function that another module made (addFunction's wrappers) has no forwarder, and stays at an exchange.
//   forwarders.F4  Entries that JavaScript wrote are known, because it writes through the facade. Those that wasm wrote behind the table's first
//      end are refused. Compilers of C and C++ write none; an entry that wasm replaces below that end is not seen.

import { forwardersOnStack, kForwarder, readsStack } from './running.ts';

export type WasmFunction = (...args: unknown[]) => unknown;

/** Finds the function again in another instance of the module; it may name one that is not there. */
export type Origin = (instance: WebAssembly.Instance) => WasmFunction | null | undefined;

interface Cell {
  call: WasmFunction;
  /** What it calls; counted, `call` is another one (F2). */
  fn: WasmFunction;
  readonly origin: Origin;
}

/** The functions of one instance that JavaScript knows, and those of the next. */
export type Successors = Map<WasmFunction, WasmFunction>;

export interface Forwarders {
  /** Whether a call into wasm has not returned; undefined: nobody can say. */
  running(): boolean | undefined;
  of(fn: WasmFunction, origin: Origin): WasmFunction;
  /** The forwarder of a function that has one; otherwise the function itself: it is another module's (F3). */
  known(fn: WasmFunction): WasmFunction;
  /** The function behind a forwarder now; what is no forwarder is itself. */
  behind(fn: WasmFunction): WasmFunction;
  successors(next: WebAssembly.Instance): Successors;
  /** All go on with these. Returns what takes that back. */
  exchange(successors: Successors): () => void;
}

/** Keys with a space stay as they are, whatever makes a program's JavaScript smaller; so functions that they name have their names (running.R1). */
type Named = Readonly<Record<typeof kForwarder, WasmFunction>>;

export function makeForwarders(): Forwarders {
  const reads = readsStack((call) => forwarderOf({ call: call }, 0)() as number | undefined);
  const count = { calls: 0 };
  const cells = new Set<Cell>();
  const made = new WeakMap<WasmFunction, WasmFunction>();
  const cellOf = new WeakMap<WasmFunction, Cell>();
  const callOf = (fn: WasmFunction): WasmFunction => (reads ? fn : counted(fn, count));
  return {
    running: () => {
      const found = reads ? forwardersOnStack() : count.calls;
      return found === undefined ? undefined : found > 0;
    },
    of: (fn, origin) => {
      const known = cellOf.has(fn) ? fn : made.get(fn);
      if (known !== undefined) return known;
      const cell: Cell = { call: callOf(fn), fn: fn, origin: origin };
      const forwarder = forwarderOf(cell, fn.length);
      cells.add(cell);
      made.set(fn, forwarder);
      cellOf.set(forwarder, cell);
      return forwarder;
    },
    known: (fn) => made.get(fn) ?? fn,
    behind: (fn) => {
      const cell = cellOf.get(fn);
      return cell === undefined ? fn : cell.fn;
    },
    successors: (next) => {
      const found: Successors = new Map();
      cells.forEach((cell) => {
        const successor = cell.origin(next);
        if (typeof successor === 'function') found.set(cell.fn, successor);
      });
      return found;
    },
    exchange: (successors) => {
      const changed: { readonly cell: Cell; readonly old: WasmFunction }[] = [];
      const goOn = (cell: Cell, fn: WasmFunction): void => {
        cell.fn = fn;
        cell.call = callOf(fn);
      };
      cells.forEach((cell) => {
        const successor = successors.get(cell.fn);
        const forwarder = made.get(cell.fn);
        if (successor === undefined || forwarder === undefined) return;
        changed.push({ cell: cell, old: cell.fn });
        goOn(cell, successor);
        made.set(successor, forwarder);
      });
      return () => {
        for (const change of changed) goOn(change.cell, change.old);
      };
    },
  };
}

/** Where the stack says nothing. */
function counted(fn: WasmFunction, count: { calls: number }): WasmFunction {
  return (...args) => {
    ++count.calls;
    try {
      return fn.apply(undefined, args);
    } finally {
      --count.calls;
    }
  };
}

/** As many parameters as the function has: a rest parameter costs more than the call. No call is the last of its function (running.R1). */
function forwarderOf(cell: { readonly call: WasmFunction }, length: number): WasmFunction {
  return forwardersOver(cell, length)[kForwarder];
}

function forwardersOver(cell: { readonly call: WasmFunction }, length: number): Named {
  switch (length) {
    case 0:
      return {
        'heapglass forwarder': () => {
          const result = cell.call();
          return result;
        },
      };
    case 1:
      return {
        'heapglass forwarder': (a) => {
          const result = cell.call(a);
          return result;
        },
      };
    case 2:
      return {
        'heapglass forwarder': (a, b) => {
          const result = cell.call(a, b);
          return result;
        },
      };
    case 3:
      return {
        'heapglass forwarder': (a, b, c) => {
          const result = cell.call(a, b, c);
          return result;
        },
      };
    case 4:
      return {
        'heapglass forwarder': (a, b, c, d) => {
          const result = cell.call(a, b, c, d);
          return result;
        },
      };
    case 5:
      return {
        'heapglass forwarder': (a, b, c, d, e) => {
          const result = cell.call(a, b, c, d, e);
          return result;
        },
      };
    case 6:
      return {
        'heapglass forwarder': (a, b, c, d, e, f) => {
          const result = cell.call(a, b, c, d, e, f);
          return result;
        },
      };
    default:
      return {
        'heapglass forwarder': (...args) => {
          const result = cell.call.apply(undefined, args);
          return result;
        },
      };
  }
}

/** What programs use of a WebAssembly.Table of functions. */
export interface TableFacade {
  readonly length: number;
  get(index: number): WasmFunction | null;
  set(index: number, fn: WasmFunction | null): void;
  grow(by: number): number;
}

/** An entry of a table, and the function that JavaScript put there. */
export interface AddedFunction {
  readonly at: number;
  readonly fn: WasmFunction;
}

export interface StandingTable {
  readonly name: string;
  readonly facade: TableFacade;
  /** Fills another instance's table as this one is. False: the program itself wrote entries, which nobody can find again (F4). */
  copyTo(next: WebAssembly.Instance, successors: Successors): boolean;
  /** What JavaScript wrote into which entry. */
  added(): AddedFunction[];
}

/** A table of functions, found by the name of an export in `current`. What the module itself fills in, each instance fills in. */
export function standingTable(
  name: string,
  current: () => WebAssembly.Instance,
  forwarders: Forwarders,
): StandingTable {
  const tableOf = (instance: WebAssembly.Instance) => instance.exports[name] as WebAssembly.Table;
  const written = new Set<number>(); // entries that JavaScript wrote
  const facade: TableFacade = {
    get length() {
      return tableOf(current()).length;
    },
    get: (index) => {
      const fn = tableOf(current()).get(index) as WasmFunction | null;
      if (fn === null) return null;
      if (written.has(index)) return forwarders.known(fn);
      return forwarders.of(fn, (instance) => tableOf(instance).get(index) as WasmFunction | null);
    },
    set: (index, fn) => {
      tableOf(current()).set(index, typeof fn === 'function' ? forwarders.behind(fn) : fn);
      written.add(index);
    },
    grow: (by) => tableOf(current()).grow(by),
  };
  return {
    name: name,
    facade: facade,
    copyTo: (next, successors) => {
      const from = tableOf(current());
      const to = tableOf(next);
      for (let index = to.length; index < from.length; ++index) {
        if (!written.has(index) && from.get(index) !== null) return false;
      }
      if (to.length < from.length) to.grow(from.length - to.length);
      written.forEach((index) => {
        const fn = from.get(index) as WasmFunction | null;
        to.set(index, fn === null ? null : (successors.get(fn) ?? fn));
      });
      return true;
    },
    added: () => {
      const added: AddedFunction[] = [];
      written.forEach((index) => {
        const fn = facade.get(index);
        if (fn !== null) added.push({ at: index, fn: fn });
      });
      return added;
    },
  };
}

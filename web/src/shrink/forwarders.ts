// Functions and tables that stay when the instance behind them is exchanged.
//
//   program ─▶ forwarder ─▶ cell.call ─▶ function of the current instance
//
//   forwarders.F1  A function has one forwarder, whatever name or table entry it was found by, as an exported function is one object.
//   forwarders.F2  `depth` counts the calls into wasm that have not returned: between two calls it is 0. What is thrown through a forwarder
//      leaves it, too.
//   forwarders.F3  A function that another module made (addFunction's wrappers) has no forwarder, and stays at an exchange.
//   forwarders.F4  Entries that JavaScript wrote are known, because it writes through the facade. Those that wasm wrote behind the table's first
//      end are refused. Compilers of C and C++ write none; an entry that wasm replaces below that end is not seen.

export type WasmFunction = (...args: unknown[]) => unknown;

/** Finds the function again in another instance of the module; it may name one that is not there. */
export type Origin = (instance: WebAssembly.Instance) => WasmFunction | null | undefined;

interface Cell {
  call: WasmFunction;
  readonly origin: Origin;
}

/** The functions of one instance that JavaScript knows, and those of the next. */
export type Successors = Map<WasmFunction, WasmFunction>;

export interface Forwarders {
  /** Calls into wasm that have not returned. */
  depth(): number;
  of(fn: WasmFunction, origin: Origin): WasmFunction;
  /** The forwarder of a function that has one; otherwise the function itself: it is another module's (F3). */
  known(fn: WasmFunction): WasmFunction;
  /** The function behind a forwarder now; what is no forwarder is itself. */
  behind(fn: WasmFunction): WasmFunction;
  successors(next: WebAssembly.Instance): Successors;
  /** All go on with these. Returns what takes that back. */
  exchange(successors: Successors): () => void;
}

export function makeForwarders(): Forwarders {
  const count = { calls: 0 };
  const cells = new Set<Cell>();
  const made = new WeakMap<WasmFunction, WasmFunction>();
  const cellOf = new WeakMap<WasmFunction, Cell>();
  return {
    depth: () => count.calls,
    of: (fn, origin) => {
      const known = cellOf.has(fn) ? fn : made.get(fn);
      if (known !== undefined) return known;
      const cell: Cell = { call: fn, origin: origin };
      const forwarder = forwarderOf(cell, count, fn.length);
      cells.add(cell);
      made.set(fn, forwarder);
      cellOf.set(forwarder, cell);
      return forwarder;
    },
    known: (fn) => made.get(fn) ?? fn,
    behind: (fn) => {
      const cell = cellOf.get(fn);
      return cell === undefined ? fn : cell.call;
    },
    successors: (next) => {
      const found: Successors = new Map();
      cells.forEach((cell) => {
        const successor = cell.origin(next);
        if (typeof successor === 'function') found.set(cell.call, successor);
      });
      return found;
    },
    exchange: (successors) => {
      const changed: { readonly cell: Cell; readonly old: WasmFunction }[] = [];
      cells.forEach((cell) => {
        const successor = successors.get(cell.call);
        const forwarder = made.get(cell.call);
        if (successor === undefined || forwarder === undefined) return;
        changed.push({ cell: cell, old: cell.call });
        cell.call = successor;
        made.set(successor, forwarder);
      });
      return () => {
        for (const change of changed) change.cell.call = change.old;
      };
    },
  };
}

/** As many parameters as the function has: a rest parameter costs more than the call. */
function forwarderOf(cell: Cell, count: { calls: number }, length: number): WasmFunction {
  switch (length) {
    case 0:
      return () => {
        ++count.calls;
        try {
          return cell.call();
        } finally {
          --count.calls;
        }
      };
    case 1:
      return (a) => {
        ++count.calls;
        try {
          return cell.call(a);
        } finally {
          --count.calls;
        }
      };
    case 2:
      return (a, b) => {
        ++count.calls;
        try {
          return cell.call(a, b);
        } finally {
          --count.calls;
        }
      };
    case 3:
      return (a, b, c) => {
        ++count.calls;
        try {
          return cell.call(a, b, c);
        } finally {
          --count.calls;
        }
      };
    case 4:
      return (a, b, c, d) => {
        ++count.calls;
        try {
          return cell.call(a, b, c, d);
        } finally {
          --count.calls;
        }
      };
    default:
      return (...args) => {
        ++count.calls;
        try {
          return cell.call.apply(undefined, args);
        } finally {
          --count.calls;
        }
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
  /** What JavaScript wrote into which entry, in order. */
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
      return added.sort((a, b) => a.at - b.at);
    },
  };
}

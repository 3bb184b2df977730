// A running wasm program whose instance can be exchanged for one with a smaller memory, between two calls from JavaScript.
//
//   1. refusals           4. grow the fresh memory    7. globals
//   2. a fresh instance   5. copy what lives          8. functions and memory: the program goes on in the fresh instance
//   3. trim, free pages   6. tables                   9. the allocator and the host are told; the old memory's buffer is detached
//
//  exchange.X1  A refusal is a ShrinkError with a sentence, before anything is changed.
//  exchange.X2  Up to step 7 only the fresh instance changes, apart from trimming. Where a step fails, the old one goes on; so it does when
//      the allocator or the host fails in step 9, which takes step 8 back.
//  exchange.X3  Only step 2 waits. Whatever happens meanwhile is seen by the steps after it, which run as one. They begin on an empty stack.
//  exchange.X5  Nothing that lives on refers to an earlier instance or memory: the memory goes back when the engine collects them.
//  exchange.X4  No constructor runs again: what they wrote is copied.
//  exchange.X6  A recorder takes nothing from the copy to the exchange. An engine may interrupt both (record.W1), and what was taken from the
//      old memory then would be taken again from the fresh one.
//
// Over 300 lines: the steps of one exchange, which share what they take and give.
// No classes, no destructuring, no spread of objects: linked/ becomes a JavaScript library of Emscripten 3.1.6 (tools/build_recorder.mjs).

import type { ListPages } from '../image/free_runs.ts';
import { copyLive } from '../image/live_pages.ts';
import { collectSoon, detach } from './collect.ts';
import type { ExposedModule } from './exposed_module.ts';
import {
  type Forwarders,
  makeForwarders,
  type Origin,
  type StandingTable,
  standingTable,
  type WasmFunction,
} from './forwarders.ts';
import { freePagesOf, growTo } from './memory_pages.ts';
import { type Outside, outsideOf, readGlobals, writeGlobals } from './outside.ts';
import { refused, type Shrunk, shrinkError, shrunkText } from './shrunk.ts';

/** The allocator of the program, in whichever instance is current. */
export interface ProgramAllocator {
  /** Releases what it can. */
  trim(): void;
  heapPages: ListPages;
  cachedPages: ListPages;
  memoryPages: ListPages;
  returnable(pageBytes: number): number;
  end(): number;
  moved(end: number): void;
  scratch(): number;
}

/** Of a recorded program. */
export interface ProgramRecorder {
  /** record/linked/set_back.ts; undefined: this recorder has no words for a reset. */
  readonly setBack:
    | {
        kept(number: number): void;
        hold(): () => void;
        before(): (number: number, end: number) => void;
      }
    | undefined;
}

export interface ExchangeHost {
  readonly allocator: ProgramAllocator;
  /** Why the program cannot be exchanged just now; undefined: it can. */
  whyNot(): string | undefined;
  /** The program goes on in this memory. */
  renew(memory: WebAssembly.Memory): void;
  /** Where the program is recorded. */
  noteOnTimeLine(text: string): void;
  /** undefined: the program is not recorded. */
  recorder(): ProgramRecorder | undefined;
  /** Gives what makes the program's JavaScript think what it thinks now of a program that runs, has ended or failed. */
  keepRuntime(): () => void;
}

export interface Exchange {
  /** What stands in for the instance's exports. */
  readonly exports: Record<string, unknown>;
  memory(): WebAssembly.Memory;
  shrink(host: ExchangeHost): Promise<Shrunk>;
  /** Why the program cannot be left as it is, or made what it was, by `call` just now; undefined: it can. */
  refusal(host: ExchangeHost, call: string): string | undefined;
  readonly outside: Outside;
  /** Of the wasm file. */
  readonly mark: number;
}

const kShrink = 'shrink()';

interface Current {
  instance: WebAssembly.Instance;
  memory: WebAssembly.Memory;
}

/** Starts the first instance. */
export function startExchange(
  compiled: WebAssembly.Module,
  exposed: ExposedModule,
  imports: WebAssembly.Imports,
): Promise<Exchange> {
  return WebAssembly.instantiate(compiled, imports).then((instance) =>
    exchangeOf(compiled, exposed, imports, instance),
  );
}

/** The same over an instance that was started, on `imports` as they are. */
export function exchangeOf(
  compiled: WebAssembly.Module,
  exposed: ExposedModule,
  imports: WebAssembly.Imports,
  first: WebAssembly.Instance,
): Exchange {
  const forwarders = makeForwarders();
  const current: Current = { instance: first, memory: memoryOf(exposed, imports, first) };
  const tables = exposed.tables
    .filter((table) => table.functions)
    .map((table) => standingTable(table.name, () => current.instance, forwarders));
  return {
    exports: standingExports(exposed, current, forwarders, tables),
    memory: () => current.memory,
    outside: outsideOf(exposed, () => current.instance, tables),
    mark: exposed.mark,
    refusal: (host, call) => refusalOf(exposed, forwarders, host, call),
    shrink: (host) => {
      const refusal = refusalOf(exposed, forwarders, host, kShrink);
      if (refusal !== undefined) return Promise.reject(refused(refusal));
      const given = withFreshMemory(exposed, imports);
      if (given instanceof Error) return Promise.reject(given);
      return WebAssembly.instantiate(compiled, given).then(
        (instance) => {
          const late = refusalOf(exposed, forwarders, host, kShrink);
          if (late !== undefined) throw refused(late);
          const next = { instance: instance, memory: memoryOf(exposed, given, instance) };
          return goOnIn(next, current, exposed, forwarders, tables, host, imports);
        },
        (cause: Error) => {
          throw shrinkError('out_of_memory', `no second instance: ${cause.message}`);
        },
      );
    },
  };
}

function refusalOf(
  exposed: ExposedModule,
  forwarders: Forwarders,
  host: ExchangeHost,
  call: string,
): string | undefined {
  if (exposed.refusal !== undefined) return exposed.refusal;
  const running = forwarders.running();
  if (running === true) return `one of its functions is running: call ${call} from JavaScript, between two calls`;
  if (running === undefined && call !== kShrink)
    return `the stack is too deep to say that none of its functions is running: call ${call} from a shallower place`;
  return host.whyNot();
}

function memoryOf(
  exposed: ExposedModule,
  imports: WebAssembly.Imports,
  instance: WebAssembly.Instance,
): WebAssembly.Memory {
  const own = exposed.memory;
  const imported = exposed.imported;
  if (own !== undefined) return instance.exports[own] as WebAssembly.Memory;
  return imports[imported?.module ?? '']?.[imported?.name ?? ''] as WebAssembly.Memory;
}

/** The imports for another instance, or why they cannot be made. */
function withFreshMemory(exposed: ExposedModule, imports: WebAssembly.Imports): WebAssembly.Imports | Error {
  const imported = exposed.imported;
  if (imported === undefined) return imports;
  const limits: WebAssembly.MemoryDescriptor = { initial: imported.initial };
  if (imported.maximum !== undefined) limits.maximum = imported.maximum;
  const environment = Object.assign({}, imports[imported.module]);
  try {
    environment[imported.name] = new WebAssembly.Memory(limits);
  } catch (cause) {
    return shrinkError('out_of_memory', `no second memory: ${(cause as Error).message}`);
  }
  const given = Object.assign({}, imports);
  given[imported.module] = environment;
  return given;
}

/** X5: each closure here is made in a function that never sees an instance of its own. */
function standingExports(
  exposed: ExposedModule,
  current: Current,
  forwarders: Forwarders,
  tables: readonly StandingTable[],
): Record<string, unknown> {
  const standing: Record<string, unknown> = {};
  const added = exposed.globals.concat(
    exposed.tables.map((table) => table.name),
    exposed.memory ?? [],
  );
  for (const name of Object.keys(current.instance.exports)) {
    if (added.indexOf(name) < 0)
      Object.defineProperty(standing, name, standingExport(name, current, forwarders, tables));
  }
  return standing;
}

function standingExport(
  name: string,
  current: Current,
  forwarders: Forwarders,
  tables: readonly StandingTable[],
): PropertyDescriptor {
  const value = current.instance.exports[name] as unknown;
  if (typeof value === 'function')
    return { enumerable: true, writable: true, value: forwarders.of(value as WasmFunction, originOf(name)) };
  for (const table of tables) {
    if (current.instance.exports[table.name] === value)
      return { enumerable: true, writable: true, value: table.facade };
  }
  return getterOf(name, current);
}

const originOf =
  (name: string): Origin =>
  (instance) =>
    instance.exports[name] as unknown as WasmFunction;

const getterOf = (name: string, current: Current): PropertyDescriptor => ({
  enumerable: true,
  get: () => current.instance.exports[name],
});

function goOnIn(
  next: Current,
  current: Current,
  exposed: ExposedModule,
  forwarders: Forwarders,
  tables: readonly StandingTable[],
  host: ExchangeHost,
  imports: WebAssembly.Imports,
): Shrunk {
  const allocator = host.allocator;
  const old = current.memory;
  const before = old.buffer.byteLength;
  allocator.trim();
  const end = allocator.end();
  const free = freePagesOf(allocator, () => old.buffer);
  growTo(next.memory, end, ' for the time of the copy');
  const recorder = host.recorder();
  const letGo = recorder !== undefined && recorder.setBack !== undefined ? recorder.setBack.hold() : () => undefined;
  const move = (): number => moveTo(next, current, exposed, forwarders, tables, host, imports, end, free);
  const copied = finallyDo(move, letGo);
  collectSoon(old, before);
  const after = next.memory.buffer.byteLength;
  host.noteOnTimeLine(shrunkText(before, after));
  return { before: before, after: after, copied: copied };
}

function finallyDo<T>(act: () => T, last: () => void): T {
  try {
    return act();
  } finally {
    last();
  }
}

/** exchange.X6. How much was copied. */
function moveTo(
  next: Current,
  current: Current,
  exposed: ExposedModule,
  forwarders: Forwarders,
  tables: readonly StandingTable[],
  host: ExchangeHost,
  imports: WebAssembly.Imports,
  end: number,
  free: number[],
): number {
  const allocator = host.allocator;
  const old = current.memory;
  const before = old.buffer.byteLength;
  const copied = copyLive(old.buffer, next.memory.buffer, Math.min(end, before), free, exposed.data);
  const successors = forwarders.successors(next.instance);
  for (const table of tables) {
    if (!table.copyTo(next.instance, successors)) throw refused('it wrote functions into its table by itself');
  }
  copyReferences(current.instance, next.instance, exposed);
  writeGlobals(next.instance, exposed, readGlobals(current.instance, exposed));
  const last = current.instance;
  const takeBack = forwarders.exchange(successors);
  current.instance = next.instance;
  current.memory = next.memory;
  useMemory(exposed, imports, next.memory);
  try {
    allocator.moved(end);
    host.renew(next.memory);
  } catch (cause) {
    takeBack();
    current.instance = last;
    current.memory = old;
    useMemory(exposed, imports, old);
    host.renew(old);
    throw cause;
  }
  detach(old);
  return copied;
}

/** What the program imports is its current memory, also in the object that it started with (X5). */
function useMemory(exposed: ExposedModule, imports: WebAssembly.Imports, memory: WebAssembly.Memory): void {
  const imported = exposed.imported;
  const group = imported === undefined ? undefined : imports[imported.module];
  if (imported !== undefined && group !== undefined) group[imported.name] = memory;
}

/** Tables of references that are no functions. */
function copyReferences(old: WebAssembly.Instance, next: WebAssembly.Instance, exposed: ExposedModule): void {
  for (const each of exposed.tables) {
    if (each.functions) continue;
    const from = old.exports[each.name] as WebAssembly.Table;
    const to = next.exports[each.name] as WebAssembly.Table;
    if (to.length < from.length) to.grow(from.length - to.length);
    for (let i = 0; i < from.length; ++i) to.set(i, from.get(i));
  }
}

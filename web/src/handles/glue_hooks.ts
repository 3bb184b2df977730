// Where handles are made and end in the JavaScript around a module, without a change to it: what the glue of embind and of wasm-bindgen
// calls of the language is replaced.
//
//   embind        Object.create(prototype, { $$: { value: record } })       made, cloned too     record.ptr, record.smartPtr
//                 Object.defineProperties(object, { $$: ... })              made, of a class that JavaScript derives
//                 registry.unregister(handle)                               deleted
//   wasm-bindgen  object.__wbg_ptr = pointer                                made: the first time it meets a setter of Object.prototype
//                 object.__destroy_into_raw()                               deleted, or moved into Rust
//   both          new FinalizationRegistry(cleanup)                         cleanup runs: collected
//
//  glue.1  It must be done before the glue runs, which keeps FinalizationRegistry from its first line on.
//  glue.2  What is no handle goes through unchanged. Nothing is thrown into the glue.
//  glue.3  A property that wasm-bindgen's glue has set once is an ordinary one of the object.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import type { PointsTo } from '../trace/handle_marks.ts';

/** What a handle points to, as its glue has it. */
export interface Pointer {
  readonly className: string;
  readonly pointsTo: PointsTo;
  readonly address: number;
  readonly smart: number; // 0: none
}

export interface HandleSink {
  /** `above`: frames between the glue and the one that calls this. */
  made(handle: object, pointer: Pointer, above: number): void;
  deleted(handle: object): void;
  /** What its end is to be known by, when it is itself no more; undefined: it is no handle that is followed. */
  endOf(handle: object): (() => void) | undefined;
}

/** What embind keeps of a handle. */
interface Record {
  readonly ptr?: unknown;
  readonly smartPtr?: unknown;
  readonly ptrType?: { readonly registeredClass?: { readonly name?: unknown } };
}

type Descriptors = PropertyDescriptorMap & ThisType<unknown>;

const kPointer = '__wbg_ptr';
const kDestroy = '__destroy_into_raw';
const isNumber = (it: unknown): it is number => typeof it === 'number' && it !== 0;

export function hookGlue(sink: HandleSink): void {
  hookEmbind(sink);
  hookBindgen(sink);
  hookRegistries(sink);
}

function hookEmbind(sink: HandleSink): void {
  const create = Object.create;
  const define = Object.defineProperties;
  const seen = (handle: object, given: Descriptors | undefined): void => {
    const pointer = given === undefined || given === null ? undefined : pointerIn(given['$$']);
    if (pointer !== undefined) sink.made(handle, pointer, 2);
  };
  replace(Object, 'create', (prototype: object | null, given?: Descriptors) => {
    const made = given === undefined ? create(prototype) : create(prototype, given);
    seen(made, given);
    return made;
  });
  replace(Object, 'defineProperties', (object: object, given: Descriptors) => {
    const defined = define(object, given);
    seen(object, given);
    return defined;
  });
}

function pointerIn(described: PropertyDescriptor | undefined): Pointer | undefined {
  const record = described === undefined ? undefined : (described.value as Record | undefined);
  if (typeof record !== 'object' || record === null || !isNumber(record.ptr)) return undefined;
  const kind = record.ptrType === undefined ? undefined : record.ptrType.registeredClass;
  if (typeof kind !== 'object' || kind === null || typeof kind.name !== 'string') return undefined;
  const smart = isNumber(record.smartPtr) ? record.smartPtr >>> 0 : 0;
  const pointsTo = smart === 0 ? 'pointer' : 'inside'; // make_shared puts the object behind its counts
  return { className: kind.name, pointsTo, address: record.ptr >>> 0, smart };
}

function hookBindgen(sink: HandleSink): void {
  const known = new WeakSet<object>();
  const hookClass = (prototype: { [kDestroy]?: () => number }): void => {
    const destroy = prototype[kDestroy];
    if (typeof destroy !== 'function' || known.has(destroy)) return;
    const hooked = function (this: object): number {
      sink.deleted(this);
      return destroy.call(this);
    };
    known.add(hooked);
    replace(prototype, kDestroy, hooked);
  };
  const found = (handle: object, value: unknown): void => {
    const prototype = Object.getPrototypeOf(handle) as { [kDestroy]?: () => number } | null;
    if (!isNumber(value) || prototype === null || typeof prototype[kDestroy] !== 'function') return;
    hookClass(ownerOf(prototype));
    const maker = (handle as { constructor?: { name?: unknown } }).constructor;
    const className = typeof maker === 'function' && typeof maker.name === 'string' ? maker.name : '';
    sink.made(handle, { className, pointsTo: 'inside', address: value >>> 0, smart: 0 }, 2);
  };
  const value = { configurable: true, enumerable: true, writable: true };
  define(Object.prototype, kPointer, {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(this: object, pointer: unknown) {
      if (typeof this !== 'object' || this === null) return;
      Object.defineProperty(this, kPointer, Object.assign({ value: pointer }, value)); // glue.3
      found(this, pointer);
    },
  });
}

/** The class that has the method, of one that JavaScript has derived from it. */
function ownerOf(prototype: { [kDestroy]?: () => number }): { [kDestroy]?: () => number } {
  let at = prototype;
  while (!Object.hasOwn(at, kDestroy)) at = Object.getPrototypeOf(at);
  return at;
}

/** What a registry holds of a handle, in place of what the glue gave. */
interface Held {
  readonly end: () => void;
  readonly held: unknown;
}

function hookRegistries(sink: HandleSink): void {
  if (typeof FinalizationRegistry !== 'function') return;
  const Registry = FinalizationRegistry;
  const ours = new WeakSet<object>(); // registries whose cleanup knows Held
  const holds = new WeakSet<object>();
  const methods = Registry.prototype;
  const register = methods.register;
  const unregister = methods.unregister;
  const hooked = new Proxy(Registry, {
    construct(target, given: [(held: unknown) => void], newTarget) {
      const cleanup = given[0];
      const cleanupHeld = (it: unknown): void => {
        const held = typeof it === 'object' && it !== null && holds.has(it) ? (it as Held) : undefined;
        if (held !== undefined) held.end();
        cleanup(held === undefined ? it : held.held);
      };
      const made = Reflect.construct(target, [typeof cleanup === 'function' ? cleanupHeld : cleanup], newTarget);
      ours.add(made);
      return made;
    },
  });
  replace(
    methods,
    'register',
    function (this: FinalizationRegistry<unknown>, target: WeakKey, held: unknown, token?: WeakKey) {
      const end = ours.has(this) && typeof target === 'object' ? sink.endOf(target) : undefined;
      if (end === undefined) return register.call(this, target, held, token);
      const both: Held = { end, held };
      holds.add(both);
      return register.call(this, target, both, token);
    },
  );
  replace(methods, 'unregister', function (this: FinalizationRegistry<unknown>, token: WeakKey) {
    if (typeof token === 'object') sink.deleted(token);
    return unregister.call(this, token);
  });
  replace(globalThis, 'FinalizationRegistry', hooked);
}

/** glue.2: in a realm that is frozen nothing is replaced. */
function replace(of: object, name: string, by: unknown): void {
  define(of, name, { configurable: true, enumerable: false, writable: true, value: by });
}

function define(of: object, name: string, how: PropertyDescriptor): void {
  try {
    Object.defineProperty(of, name, how);
  } catch (_) {} // glue.2
}

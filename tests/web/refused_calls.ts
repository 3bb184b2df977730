// Refuses one call of those that an engine may refuse for want of memory, counted from the beginning: whatever goes on behind it is shown
// by refusing the first, the second, and so on until none is left.

type Owner = Record<string, unknown>;

/** Owner, name, and whether it is a constructor. */
const kFallible: readonly (readonly [object, string, boolean])[] = [
  [WebAssembly, 'instantiate', false],
  [WebAssembly, 'Memory', true],
  [WebAssembly.Memory.prototype, 'grow', false],
  [WebAssembly.Table.prototype, 'grow', false],
  [WebAssembly.Table.prototype, 'set', false],
  [Uint8Array.prototype, 'set', false],
  ...['Uint8Array', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array'].map(
    (name) => [globalThis, name, true] as const,
  ),
];

export interface Refusing {
  /** How many such calls there were so far. */
  readonly calls: number;
  /** Which one was refused. */
  readonly refused: string | undefined;
  restore(): void;
}

/** Refuses the call number `nth`, from 1 on, of those that code in `web/src` makes. */
export function refuseCall(nth: number): Refusing {
  let calls = 0;
  let refused: string | undefined;
  const isOurs = (): boolean => /^\s*at .*\/web\/src\//m.test((new Error().stack ?? '').split('\n').slice(4, 5).join());
  const count = (name: string): void => {
    if (!isOurs() || ++calls !== nth) return;
    refused = name;
    throw new RangeError(`${name}: refused by the test`);
  };
  const kept = kFallible.map(([owner, name]) => (owner as Owner)[name]);
  for (const [owner, name, constructs] of kFallible) {
    const own = (owner as Owner)[name] as (...given: unknown[]) => unknown;
    (owner as Owner)[name] = new Proxy(own, {
      construct(target, given, made) {
        if (constructs) count(`new ${name}`);
        return Reflect.construct(target, given, made) as object;
      },
      apply(target, self, given) {
        if (!constructs) count(name);
        return Reflect.apply(target, self, given) as unknown;
      },
    });
  }
  return {
    get calls() {
      return calls;
    },
    get refused() {
      return refused;
    },
    restore: () => {
      for (const [i, [owner, name]] of kFallible.entries()) (owner as Owner)[name] = kept[i];
    },
  };
}

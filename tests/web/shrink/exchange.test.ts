// What an instance keeps outside its memory goes along, and what cannot is a refusal in words.

import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { kShrinkExports, kShrinkScratch } from '../../../web/src/protocol/shrink_exports.ts';
import { type ExchangeHost, exchangeOf } from '../../../web/src/shrink/exchange.ts';
import { exposeState } from '../../../web/src/shrink/exposed_module.ts';
import { outsideOf } from '../../../web/src/shrink/outside.ts';
import { instantiateShrinkable } from '../../../web/src/shrink/shrink.ts';
import { nameBytes, readerOf, unsignedBytes } from '../../../web/src/shrink/wasm_bytes.ts';

const kFeatures = {
  mutable_globals: true,
  reference_types: true,
  bulk_memory: true,
  threads: true,
  multi_memory: true,
  simd: true,
};

async function wasmOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const tools = await wabt();
  const module = tools.parseWat('test.wat', text, kFeatures);
  return new Uint8Array(module.toBinary({}).buffer);
}

/** Everything that a program may keep: numbers of each kind, references, functions, a memory. */
const kKeeper = `(module
  (import "env" "shared" (global $shared (mut i32)))
  (type $call (func (result i32)))
  (table $functions (export "functions") 3 funcref)
  (table $things (export "things") 2 externref)
  (elem (table $functions) (i32.const 1) func $one $two)
  (memory (export "memory") 2)
  (global $a (mut i32) (i32.const 1))
  (global $b (mut i64) (i64.const 2))
  (global $c (mut f32) (f32.const 3))
  (global $d (export "d") (mut f64) (f64.const 4))
  (global $e i32 (i32.const 5))
  (func $one (result i32) (i32.const 1))
  (func $two (export "two") (result i32) (i32.const 2))
  (func (export "change")
    (global.set $a (i32.add (global.get $a) (i32.const 10)))
    (global.set $b (i64.add (global.get $b) (i64.const 10)))
    (global.set $c (f32.add (global.get $c) (f32.const 10)))
    (global.set $d (f64.add (global.get $d) (f64.const 10)))
    (i32.store (i32.const 100) (i32.add (i32.load (i32.const 100)) (i32.const 1))))
  (func (export "sum") (result f64)
    (f64.add (f64.add (f64.convert_i32_s (global.get $a)) (f64.convert_i64_s (global.get $b)))
             (f64.add (f64.promote_f32 (global.get $c)) (f64.add (global.get $d) (f64.convert_i32_s (i32.load (i32.const 100)))))))
  (func (export "call") (param i32) (result i32) (call_indirect $functions (type $call) (local.get 0)))
  (func (export "grow") (result i32) (memory.grow (i32.const 100)))
)`;

const host: ExchangeHost = {
  allocator: {
    trim: () => undefined,
    cachedPages: () => 0,
    heapPages: () => 0,
    memoryPages: () => 0,
    returnable: () => 0,
    end: () => 2 * 65_536,
    moved: () => undefined,
    scratch: () => 1024,
  },
  whyNot: () => undefined,
  renew: () => undefined,
  noteOnTimeLine: () => undefined,
  recorder: () => undefined,
  keepRuntime: () => () => undefined,
};

type Keeper = Record<'change' | 'sum' | 'call' | 'grow' | 'two', (...args: number[]) => number> & {
  readonly memory: WebAssembly.Memory;
  readonly functions: WebAssembly.Table;
  readonly things: WebAssembly.Table;
  readonly d: WebAssembly.Global;
};

async function keeper() {
  const exposed = exposeState(await wasmOf(kKeeper));
  const module = new WebAssembly.Module(exposed.bytes as BufferSource);
  const imports = { env: { shared: new WebAssembly.Global({ value: 'i32', mutable: true }, 9) } };
  const exchange = exchangeOf(module, exposed, imports, new WebAssembly.Instance(module, imports));
  return { exchange, exposed, program: exchange.exports as unknown as Keeper };
}

describe('an exchange', () => {
  test('carries globals, memory, functions and references', async () => {
    const { exchange, exposed, program } = await keeper();
    expect(exposed.refusal).toBeUndefined();
    expect(exposed.globals).toHaveLength(4);
    expect(Object.keys(program)).toEqual([
      'functions',
      'things',
      'memory',
      'd',
      'two',
      'change',
      'sum',
      'call',
      'grow',
    ]);
    program.change();
    program.grow();
    const thing = { any: 'thing' };
    program.things.set(1, thing);
    program.functions.set(0, program.two);
    const first = program.functions.get(1) as () => number;
    const { before, after } = await exchange.shrink(host);
    expect([before, after]).toEqual([102 * 65_536, 2 * 65_536]);
    program.change();
    expect(program.sum()).toBe(1 + 2 + 3 + 4 + 4 * 20 + 2);
    expect(program.d.value).toBe(24);
    expect([program.call(0), program.call(1), program.call(2), first()]).toEqual([2, 1, 2, 1]);
    expect(program.functions.get(1)).toBe(first);
    expect(program.functions.get(0)).toBe(program.two);
    expect(program.things.get(1)).toBe(thing);
    await exchange.shrink(host);
    expect(program.sum()).toBe(1 + 2 + 3 + 4 + 4 * 20 + 2);
    expect(program.call(0)).toBe(2);
  });

  test('carries a table that JavaScript made longer', async () => {
    const { exchange, program } = await keeper();
    expect(program.functions.grow(2)).toBe(3);
    program.functions.set(4, program.two);
    await exchange.shrink(host);
    expect(program.functions.length).toBe(5);
    expect([program.call(1), program.call(2), program.call(4)]).toEqual([1, 2, 2]);
    expect(program.functions.get(3)).toBeNull();
  });

  test('finds a reference at any place of a table', async () => {
    const exposed = exposeState(await wasmOf(kKeeper));
    const imports = { env: { shared: new WebAssembly.Global({ value: 'i32', mutable: true }, 9) } };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(exposed.bytes as BufferSource), imports);
    const things = instance.exports.things as WebAssembly.Table;
    const outside = outsideOf(exposed, () => instance, []);
    for (const index of [0, 1]) things.set(index, null);
    expect(outside.hasReferences()).toBe(false);
    for (const index of [0, 1]) {
      things.set(index, { any: 'thing' });
      expect(outside.hasReferences()).toBe(true);
      things.set(index, null);
    }
  });

  test('takes a global that begins with a sum, and no operation that it does not know', async () => {
    const first = '(i32.add (i32.const 300) (i32.mul (i32.const 2) (i32.const 3)))';
    const bytes = await wasmOf(`(module (memory 1) (global (mut i32) ${first}))`);
    expect(exposeState(bytes).globals).toHaveLength(1);
    const unknown = bytes.slice();
    unknown[bytes.lastIndexOf(0x6a)] = 0x6d; // a division, which no constant is
    expect(() => exposeState(unknown)).toThrow('a global begins with operation 109');
  });

  test('is refused where the program itself added to its table', async () => {
    const text = `(module (memory (export "memory") 1) (table $t (export "t") 1 funcref) (elem declare func $one)
      (func $one (export "one") (result i32) (i32.const 1))
      (func (export "add") (result i32) (table.grow $t (ref.func $one) (i32.const 1))))`;
    const exposed = exposeState(await wasmOf(text));
    const module = new WebAssembly.Module(exposed.bytes as BufferSource);
    const exchange = exchangeOf(module, exposed, {}, new WebAssembly.Instance(module));
    await exchange.shrink({ ...host, allocator: { ...host.allocator, end: () => 65_536 } });
    expect((exchange.exports as unknown as { add(): number }).add()).toBe(1);
    const shrinking = exchange.shrink({ ...host, allocator: { ...host.allocator, end: () => 65_536 } });
    await expect(shrinking).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/into its table by itself/),
    });
    expect((exchange.exports as unknown as { one(): number }).one()).toBe(1);
  });

  test('two at a time follow each other', async () => {
    const { exchange, program } = await keeper();
    program.grow();
    const [first, second] = [exchange.shrink(host), exchange.shrink(host)];
    program.change();
    expect((await first).before).toBe(102 * 65_536);
    expect((await second).before).toBe(2 * 65_536);
    expect(program.sum()).toBe(1 + 2 + 3 + 4 + 40 + 1);
  });
});

describe('a module that cannot be exchanged says why', () => {
  test.each([
    ['a shared memory', '(module (memory 1 2 shared))', /shared: other threads/],
    ['no memory', '(module)', /0 memories/],
    ['two memories', '(module (memory 1) (memory 1))', /2 memories/],
    ['a start function', '(module (memory 1) (func $f) (start $f))', /start function/],
    ['an imported table', '(module (import "env" "t" (table 1 funcref)) (memory 1))', /table is imported/],
    [
      'one that has an end, and something behind it',
      '(module (import "env" "t" (table 1 90 funcref)) (import "env" "f" (func)) (memory 1))',
      /table is imported/,
    ],
    ['dynamic linking', '(module (import "env" "__memory_base" (global i32)) (memory 1))', /linked dynamically/],
    ['a vector', '(module (memory 1) (global (mut v128) (v128.const i32x4 0 0 0 0)))', /vector/],
    ['a reference', '(module (memory 1) (global (mut externref) (ref.null extern)))', /reference/],
  ])('%s', async (_, text, message) => {
    const bytes = await wasmOf(text);
    const exposed = exposeState(bytes);
    expect(exposed.refusal).toMatch(message);
    // It runs all the same, where the engine knows what it uses.
    expect(WebAssembly.validate(exposed.bytes as BufferSource)).toBe(WebAssembly.validate(bytes));
  });

  test('the section dylink.0, which no text can write', async () => {
    const plain = await wasmOf('(module (memory 1))');
    const section = [0, ...unsignedBytes(nameBytes('dylink.0').length), ...nameBytes('dylink.0')];
    const bytes = new Uint8Array([...plain.slice(0, 8), ...section, ...plain.slice(8)]);
    expect(exposeState(bytes).refusal).toMatch(/linked dynamically/);
  });

  test('a module that lacks one of the functions of --shrink, or all of them', async () => {
    const needed = [...kShrinkExports, kShrinkScratch];
    for (const lacking of [[], ...needed.map((name) => [name]), needed]) {
      const functions = needed.filter((name) => !lacking.includes(name)).map((name) => `(func (export "${name}"))`);
      const begun = instantiateShrinkable(await wasmOf(`(module (memory 1) ${functions.join(' ')})`));
      const message = expect.stringMatching(new RegExp(`does not export ${lacking.join(', ')}$`));
      if (lacking.length === 0) expect((await begun).exports).toHaveProperty(kShrinkScratch);
      else await expect(begun).rejects.toMatchObject({ code: 'not_linked', message });
    }
  });

  test('a file that ends too early is an error, whatever its length', async () => {
    const bytes = await wasmOf(kKeeper);
    for (let length = 9; length < bytes.length; length += 7) {
      const cut = bytes.slice(0, length);
      try {
        exposeState(cut);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});

test('numbers of any size are read as they are written', () => {
  for (const number of [0, 1, 127, 128, 300, 65_535, 2 ** 28, 2 ** 31, 2 ** 32 - 1]) {
    expect(readerOf(new Uint8Array(unsignedBytes(number)), 0).unsigned()).toBe(number);
  }
});

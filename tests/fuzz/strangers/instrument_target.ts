// Modules that nobody wrote: valid ones of wasm-opt --translate-to-fuzz, with an allocator added, whole and damaged. instrument answers
// with a valid module in which malloc does what it did, or refuses in a sentence.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { instrument } from '../../../web/src/instrument/instrument.ts';
import { ModuleProblem, problemOf } from '../../../web/src/instrument/module_problem.ts';
import { instrumentSampled } from '../../../web/src/instrument/sample.ts';
import { instrumentStacks } from '../../../web/src/instrument/stacks.ts';
import { WasmFileError } from '../../../web/src/symbols/index.ts';
import { kindOf, type Target } from './target.ts';

const { i32, none, createType } = binaryen;
const kAccident = /\[object|undefined|not a function|Cannot |call stack|unreachable executed/;
const kWays: readonly ((bytes: Uint8Array) => { readonly binary: Uint8Array })[] = [
  (bytes) => instrument(binaryen, bytes),
  (bytes) => instrumentStacks(binaryen, bytes),
  (bytes) => instrumentSampled(binaryen, bytes, 512),
];
const kFar = 1n << 40n; // bytes to the next sample
const kRequests = [1, 8, 100, 4000];

/** fuzzer: a wasm-opt. */
export function instrumentTarget(fuzzer: string): Target {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-fuzz-wasm-'));
  const [input, output] = [join(folder, 'in.bin'), join(folder, 'out.wasm')];

  function generated(random: Random): Uint8Array {
    writeFileSync(
      input,
      Uint8Array.from({ length: 200 + random.below(4000) }, () => random.below(256)),
    );
    const features =
      random.below(3) === 0 ? ['--enable-simd', '--enable-multivalue', '--enable-exception-handling'] : [];
    const given = ['-ttf', input, '-o', output, '-q', ...features];
    execFileSync(fuzzer, given, { stdio: 'ignore' });
    return withAllocator(readFileSync(output), random);
  }

  return {
    run(seed) {
      const random = createRandom(seed);
      const whole = generated(random);
      const bytes = random.below(3) === 0 ? damaged(whole, random) : whole;
      const way = random.below(kWays.length);
      const made = answerOf(bytes, way);
      if (typeof made !== 'string') checkMade(whole, bytes === whole, made);
      else if (bytes === whole) throw new Error(`a valid module is refused: ${made}`);
      return Promise.resolve(kindOf(`${way} ${typeof made === 'string' ? made : 'made'}`));
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What instrument makes, or why it makes nothing. */
function answerOf(bytes: Uint8Array, way: number): Uint8Array | string {
  try {
    return kWays[way]?.(bytes).binary ?? 'no such way';
  } catch (error) {
    const { message } =
      error instanceof WasmFileError || error instanceof ModuleProblem ? error : problemOf(error, bytes);
    if (message.length < 12 || message.length > 600 || kAccident.test(message)) throw error;
    return message;
  }
}

/** malloc, which counts upwards, free, and functions that call them: exported, or only named. */
function withAllocator(bytes: Uint8Array, random: Random): Uint8Array {
  const module = binaryen.readBinary(Uint8Array.from(bytes));
  try {
    const { i32: word, global, local } = module;
    module.addGlobal('next', i32, true, word.const(1024));
    const next = () => global.get('next', i32);
    const grown = global.set(
      'next',
      word.and(word.add(word.add(next(), local.get(0, i32)), word.const(15)), word.const(0xfff0)),
    );
    module.addFunction(
      'malloc',
      i32,
      i32,
      [i32],
      module.block(null, [local.set(1, next()), grown, local.get(1, i32)], i32),
    );
    module.addFunction('free', i32, none, [], module.nop());
    module.addFunctionExport('malloc', 'malloc');
    module.addFunctionExport('free', 'free');
    if (random.below(2) === 0) {
      const both = createType([i32, i32]);
      const size = word.mul(local.get(0, i32), local.get(1, i32));
      module.addFunction('calloc', both, i32, [], module.call('malloc', [size], i32));
      module.addFunction('realloc', both, i32, [], module.call('malloc', [local.get(1, i32)], i32));
      module.addFunctionExport('calloc', 'calloc');
      module.addFunctionExport('realloc', 'realloc');
    }
    for (let n = random.below(4); n > 0; --n) {
      const freed = module.call('free', [module.call('malloc', [word.const(n * 8)], i32)], none);
      module.addFunction(
        `user_${n}`,
        none,
        none,
        [],
        module.block(null, [freed, module.drop(module.call('malloc', [word.const(n)], i32))]),
      );
      module.addFunctionExport(`user_${n}`, `user_${n}`);
    }
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  const other = bytes.slice();
  for (let n = 1 + random.below(4); n > 0; --n) other[8 + random.below(other.length - 8)] = random.below(256);
  return random.below(8) === 0 ? other.subarray(0, random.below(other.length)) : other;
}

/** pre: made from whole, or from what damage left of it */
function checkMade(whole: Uint8Array, same: boolean, made: Uint8Array): void {
  if (!WebAssembly.validate(Uint8Array.from(made))) throw new Error('what it makes is no valid module');
  if (!same) return;
  const [before, after] = [addresses(whole), addresses(made)];
  if (before !== after) throw new Error(`malloc answered ${before}, and instrumented ${after}`);
}

/** What malloc answers to a few requests, or how the module ends. */
function addresses(bytes: Uint8Array): string {
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const imports: Record<string, Record<string, unknown>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    if (kind === 'function') imports[from][name] = () => 0;
    else if (kind === 'global') imports[from][name] = new WebAssembly.Global({ value: 'i64', mutable: true }, kFar);
    else if (kind === ('tag' as string)) return 'a tag is imported';
    else throw new Error(`a ${kind} is imported: ${from}.${name}`);
  }
  try {
    const { malloc, free } = new WebAssembly.Instance(module, imports as WebAssembly.Imports).exports as Record<
      string,
      (n: number) => number
    >;
    return kRequests
      .map((request) => {
        const mem = malloc?.(request) ?? -1;
        free?.(mem);
        return mem;
      })
      .join(' ');
  } catch (error) {
    return error instanceof WebAssembly.LinkError ? 'it cannot be linked' : `it ends: ${String(error).slice(0, 60)}`;
  }
}

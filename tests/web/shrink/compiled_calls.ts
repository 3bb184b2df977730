// A program for forwarders_compiled.test.ts: it calls exported functions, itself or by forwarders, until the engine has compiled the callers.
//
//   node --allow-natives-syntax compiled_calls.cjs <wasm, base64> <with or without>

import { makeForwarders, type WasmFunction } from '../../../web/src/shrink/forwarders.ts';

const [, , wasm = '', how = ''] = process.argv;
const module = new WebAssembly.Module(Buffer.from(wasm, 'base64'));
const { exports } = new WebAssembly.Instance(module);
const forwarders = makeForwarders();
const program: Record<string, WasmFunction> = {};
for (const [name, fn] of Object.entries(exports as Record<string, WasmFunction>)) {
  const origin = (instance: WebAssembly.Instance) => instance.exports[name] as WasmFunction;
  program[name] = how === 'with' ? forwarders.of(fn, origin) : fn;
}

const optimize = new Function(
  'caller',
  '%PrepareFunctionForOptimization(caller); return () => %OptimizeFunctionOnNextCall(caller)',
);
for (const [name, fn] of Object.entries(program)) {
  const given = Array.from({ length: fn.length }, (_, i) => i + 1);
  const caller = new Function(
    'program',
    `return (function callsOf_${name}(program, n) { let sum = 0; for (let i = 0; i < n; ++i) sum += program.${name}(${given}); return sum; })`,
  )();
  const soon = optimize(caller);
  for (let i = 0; i < 10; ++i) caller(program, 1000);
  soon();
  caller(program, 1000);
}

// Makes Module.heapglassMemory in a program linked with --shrink; the type is ProgramMemory in ../program_memory.ts. It becomes the file
// that `npx heapglass --ldflags --shrink` names (tools/build_recorder.mjs).
//
//   Module.instantiateWasm ─▶ bytes ─▶ exposeState ─▶ compile ─▶ startExchange ─▶ what stands in for the instance ─▶ the program

import { type Exchange, type ExchangeHost, exchangeOf, startExchange } from '../exchange.ts';
import { exposeState } from '../exposed_module.ts';
import { makeProgramMemory } from '../program_memory.ts';
import {
  allocator,
  fail,
  givenInstantiate,
  hasNoWayIn,
  hasThreads,
  type InstantiateWasm,
  install,
  isSuspended,
  keepRuntime,
  memoryNow,
  noteOnTimeLine,
  receivedExports,
  recorder,
  renew,
  wasmBytes,
  wasmBytesNow,
} from './program.ts';

let exchange: Exchange | undefined;

const host: ExchangeHost = {
  allocator: allocator,
  whyNot: () => (isSuspended() ? 'Asyncify has suspended a call, and its stack waits in the old instance' : undefined),
  renew: renew,
  noteOnTimeLine: noteOnTimeLine,
  recorder: recorder,
  keepRuntime: keepRuntime,
};

/** Functions that the engine itself suspends (-sJSPI) are passed to it, and no forwarder may stand for them. */
function suspends(imports: WebAssembly.Imports): boolean {
  const Suspending = (WebAssembly as { Suspending?: new () => unknown }).Suspending;
  if (Suspending === undefined) return false;
  return Object.keys(imports).some((module) => {
    const group = imports[module] ?? {};
    return Object.keys(group).some((name) => (group[name] as unknown) instanceof Suspending);
  });
}

const instantiate: InstantiateWasm = (imports, receive) => {
  const plain = suspends(imports);
  if (plain) reason = 'the engine suspends its stacks (JSPI), and nobody can say whether one waits';
  const coming = wasmBytes();
  if (coming === undefined) {
    const exposed = exposeState(new Uint8Array(wasmBytesNow()));
    const module = new WebAssembly.Module(exposed.bytes as BufferSource);
    const instance = new WebAssembly.Instance(module, imports);
    if (!plain) exchange = exchangeOf(module, exposed, imports, instance);
    const standing = exchange ?? { exports: instance.exports };
    return receivedExports(receive(standing, module), standing.exports);
  }
  coming
    .then((bytes) => {
      const exposed = exposeState(new Uint8Array(bytes));
      return WebAssembly.compile(exposed.bytes as BufferSource).then((module) => {
        if (plain) return WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
        return startExchange(module, exposed, imports).then((started) => {
          exchange = started;
          return receive(started, module);
        });
      });
    })
    .catch(fail);
  return {};
};

let reason: string | undefined;
if (hasThreads) reason = 'it has threads, and they are in its memory';
else if (givenInstantiate() !== undefined) reason = 'Module.instantiateWasm is your own: the instance is not from here';
else if (hasNoWayIn()) reason = 'it is linked with -sWASM_ASYNC_COMPILATION=0, where this Emscripten has no way in';

install(
  reason === undefined ? instantiate : undefined,
  makeProgramMemory({
    memory: memoryNow,
    shrink: () => ({ exchange: exchange, host: host, reason: reason }),
  }),
);

// The script's worker: one heap, one script, and then the page ends it. Its frame (web/public/sealed.html) gives it the module and a port;
// it is bundled to one text, because it can load nothing (tools/sealed_worker.mjs).
//
//   SW1  Calls are passed on while the script runs: what it did before an endless loop is then known.
//   SW2  Everything is loaded before the names are taken away, and those are before the first line of the script (seal.ts).

import type { ScriptStep } from '../protocol/scripts.ts';
import { HeapCalls } from '../wasm/heap_calls.ts';
import { LiveModule } from '../wasm/live_module.ts';
import { placed, runScript } from './run_script.ts';
import { sealedPost, sealGlobals } from './seal.ts';

declare const self: DedicatedWorkerGlobalScope;

interface Given {
  readonly wasm: ArrayBuffer;
  readonly text: string;
}

const kOneByOne = 512; // calls passed on each by itself
const kAtOnce = 128; // of those after them

async function run({ wasm, text }: Given, port: MessagePort): Promise<void> {
  const post = sealedPost(port);
  try {
    const module = await LiveModule.start('heap', 'drop', { append() {}, lost() {} }, wasm);
    const calls = new HeapCalls(module);
    let sent = 0;
    let waiting: ScriptStep[] = [];
    const flush = () => {
      if (waiting.length > 0) post({ type: 'steps', steps: waiting });
      sent += waiting.length;
      waiting = [];
    };
    sealGlobals(); // SW2
    post({ type: 'begun' });
    const error = runScript(text, {
      operate: (operation) => calls.operate(0, operation),
      onStep(step) {
        waiting.push(step);
        if (sent < kOneByOne || waiting.length >= kAtOnce) flush(); // SW1
      },
      print: (line) => post({ type: 'printed', line }),
    });
    flush();
    post({ type: 'ended', error });
  } catch (cause) {
    post({ type: 'ended', error: placed(cause) });
  }
}

self.onmessage = ({ data, ports }: MessageEvent<Given>) => {
  self.onmessage = null;
  const [port] = ports;
  if (port !== undefined) void run(data, port);
};

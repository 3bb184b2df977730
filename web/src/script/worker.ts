// The script's worker: one heap, one script, and then the page ends it. See client/script_client.ts.
//
//   SW1  Calls are passed on while the script runs: what it did before an endless loop is then known.

import type { ScriptNote, ScriptStep } from '../protocol/scripts.ts';
import { HeapCalls } from '../wasm/heap_calls.ts';
import { LiveModule } from '../wasm/live_module.ts';
import { runScript } from './run_script.ts';

declare const self: DedicatedWorkerGlobalScope;

const kOneByOne = 512; // calls passed on each by itself
const kAtOnce = 128; // of those after them

const post = (note: ScriptNote): void => self.postMessage(note);

async function run(text: string): Promise<void> {
  const module = await LiveModule.start('heap', 'drop', { append() {}, lost() {} });
  const calls = new HeapCalls(module);
  let sent = 0;
  let waiting: ScriptStep[] = [];
  const flush = () => {
    if (waiting.length > 0) post({ type: 'steps', steps: waiting });
    sent += waiting.length;
    waiting = [];
  };
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
}

self.onmessage = ({ data }: MessageEvent<string>) => {
  run(data).catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    post({ type: 'ended', error: { message, line: undefined, column: undefined } });
  });
};

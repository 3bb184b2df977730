// Starts a module that writes its events to a sink. Apart from session.ts, so that an engine which only looks at traces
// holds no wasm module.

import type { WasmSource } from '../wasm/compile_wasm.ts';
import { HeapCalls } from '../wasm/heap_calls.ts';
import { LiveModule, type RingMode } from '../wasm/live_module.ts';
import type { Program } from '../wasm/load.ts';
import type { EventSink } from '../wasm/ring.ts';
import type { Live } from './session.ts';

/** A fresh module with one empty heap. */
export async function startLive(
  program: Program,
  mode: RingMode,
  sink: EventSink,
  wasm: WasmSource | undefined,
): Promise<Live> {
  const module = await LiveModule.start(program, mode, sink, wasm);
  return { module, calls: new HeapCalls(module) };
}

// A loader that is not Emscripten's: the page's main thread, two workers and an AudioWorklet, each an instance of loaded.wasm on one
// memory with a stack and thread-local variables of its own. This one file is the script of all four.
//
//   page       starts the others, swaps blocks in turns, and judges when all have ended: console.log('crowd', result)
//   worker     swaps its blocks, flushes, says so
//   worklet    swaps some blocks in each callback, flushes after the last, says so

const kStackAlign = 64;

function instantiate(module, memory, place) {
  const env = {
    memory,
    emscripten_notify_memory_growth: () => {},
    emscripten_resize_heap: (bytes) => grow(memory, bytes >>> 0),
  };
  const wasi_snapshot_preview1 = new Proxy({}, { get: () => () => 0 });
  const { exports } = new WebAssembly.Instance(module, { env, wasi_snapshot_preview1 });
  if (place !== undefined) {
    const variables = Math.ceil(exports.__tls_size.value / kStackAlign) * kStackAlign;
    new Uint8Array(memory.buffer, place.at, variables).fill(0);
    exports.__stack_pointer.value = place.at + place.bytes;
    exports.__wasm_init_tls(place.at);
  }
  return exports;
}

function grow(memory, bytes) {
  const pages = Math.ceil((bytes - memory.buffer.byteLength) / 65536);
  try {
    if (pages > 0) memory.grow(pages);
    return 1;
  } catch {
    return 0;
  }
}

if (typeof AudioWorkletProcessor === 'function') {
  registerProcessor(
    'loaded',
    class extends AudioWorkletProcessor {
      constructor({ processorOptions: { module, memory, place, blocks } }) {
        super();
        this.exports = instantiate(module, memory, place);
        this.left = blocks;
        this.state = 3;
      }
      process() {
        if (this.left === 0) return false;
        const count = Math.min(this.left, 200);
        this.state = this.exports.loaded_swap(this.state, count);
        this.left -= count;
        if (this.left > 0) return true;
        this.exports.loaded_end();
        this.port.postMessage('done');
        return false;
      }
    },
  );
} else if (typeof window === 'undefined') {
  addEventListener('message', ({ data: { module, memory, place, blocks, seed } }) => {
    const exports = instantiate(module, memory, place);
    let state = seed;
    for (let left = blocks; left > 0; left -= 500) state = exports.loaded_swap(state, Math.min(left, 500));
    exports.loaded_end();
    postMessage('done');
  });
} else {
  begin(Number(Module.arguments[0])).catch((error) => console.log(`RuntimeError ${error}`));
}

async function begin(all) {
  const script = document.currentScript.src;
  const blocks = Math.floor(all / 4);
  const module = await WebAssembly.compileStreaming(fetch(script.replace(/js$/, 'wasm')));
  const memory = new WebAssembly.Memory({ initial: 1024, maximum: 1024, shared: true });
  const first = instantiate(module, memory);
  const placeOf = (thread) => ({ at: first.loaded_stack(thread), bytes: first.loaded_stack_bytes() });
  first.__stack_pointer.value = placeOf(0).at + placeOf(0).bytes;
  first.__wasm_init_tls(placeOf(0).at);
  first._initialize();
  const low = () => new Uint32Array(memory.buffer, 0, 64).join();
  const before = low();

  let running = 3;
  const ended = () => --running;
  for (const thread of [1, 2]) {
    const worker = new Worker(script);
    worker.onmessage = ended;
    worker.onerror = (error) => console.log(`RuntimeError ${error.message}`);
    worker.postMessage({ module, memory, place: placeOf(thread), blocks, seed: thread });
  }
  const context = new AudioContext();
  await context.audioWorklet.addModule(script);
  const processorOptions = { module, memory, place: placeOf(3), blocks };
  const node = new AudioWorkletNode(context, 'loaded', { processorOptions });
  node.port.onmessage = ended;
  node.onprocessorerror = () => console.log('RuntimeError in the AudioWorklet');
  node.connect(context.destination);

  let state = 4;
  for (let left = blocks; left > 0 || running > 0; left -= Math.min(left, 2000)) {
    state = first.loaded_swap(state, Math.min(left, 2000));
    await new Promise((resolve) => setTimeout(resolve));
  }
  console.log('crowd', JSON.stringify({ judged: first.loaded_judge(), lowWordsChanged: low() !== before }));
}

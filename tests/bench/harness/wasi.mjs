// The system calls of a standalone module, for programs that print and ask the time. No Node and no DOM: the same in a
// process and in a worker.
//
//   W1  Output is collected, not printed. Input is empty, and there are no files.
//   W2  Randomness is a fixed sequence, so that every run is the same.
//   W3  What is not here fails with ENOSYS.

const kSuccess = 0;
const kBadFile = 8;
const kNotSupported = 52;

/** What proc_exit throws: the end of a program. */
export class ProgramExit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/**
 * @param {{ args?: string[], memory: () => WebAssembly.Memory }} given
 * @returns {{ imports: (module: WebAssembly.Module) => WebAssembly.Imports, output: (descriptor: number) => Uint8Array }}
 */
export function createWasi({ args = ['program'], memory }) {
  const view = () => new DataView(memory().buffer); // anew each time: growth detaches it
  const bytesAt = (address, count) => new Uint8Array(memory().buffer, address, count);
  const written = new Map([1, 2].map((descriptor) => [descriptor, []]));
  const argBytes = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  let random = 0x9e3779b9;

  const setWords = (...pairs) => {
    for (const [address, word] of pairs) view().setUint32(address, word, true);
    return kSuccess;
  };
  const calls = {
    args_sizes_get: (count, size) =>
      setWords([count, argBytes.length], [size, argBytes.reduce((sum, { length }) => sum + length, 0)]),
    args_get(pointers, text) {
      let at = text;
      argBytes.forEach((bytes, i) => {
        view().setUint32(pointers + 4 * i, at, true);
        bytesAt(at, bytes.length).set(bytes);
        at += bytes.length;
      });
      return kSuccess;
    },
    environ_sizes_get: (count, size) => setWords([count, 0], [size, 0]),
    environ_get: () => kSuccess,
    clock_res_get(_clock, result) {
      view().setBigUint64(result, 1000n, true);
      return kSuccess;
    },
    clock_time_get(clock, _precision, result) {
      const ms = clock === 0 ? performance.timeOrigin + performance.now() : performance.now();
      view().setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
      return kSuccess;
    },
    random_get(address, count) {
      const bytes = bytesAt(address, count);
      for (let i = 0; i < count; ++i) {
        random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
        bytes[i] = random >>> 24;
      }
      return kSuccess;
    },
    fd_write(descriptor, list, count, result) {
      const chunks = written.get(descriptor);
      if (chunks === undefined) return kBadFile;
      let total = 0;
      for (let at = list; at < list + 8 * count; at += 8) {
        const length = view().getUint32(at + 4, true);
        chunks.push(bytesAt(view().getUint32(at, true), length).slice());
        total += length;
      }
      return setWords([result, total]);
    },
    fd_read: (descriptor, _list, _count, result) => (descriptor === 0 ? setWords([result, 0]) : kBadFile),
    fd_seek: () => kBadFile,
    fd_close: () => kSuccess,
    fd_fdstat_get(descriptor, result) {
      if (descriptor > 2) return kBadFile;
      bytesAt(result, 24).fill(0);
      view().setUint8(result, 2); // a character device
      return kSuccess;
    },
    proc_exit(code) {
      throw new ProgramExit(code);
    },
  };

  /** Calls of Emscripten's kernel interface return the negative of an error, WASI's the error itself. */
  function missing(from, name) {
    if (name === 'emscripten_notify_memory_growth') return () => {};
    return () => (from === 'env' ? -kNotSupported : kNotSupported);
  }
  function imports(module) {
    const made = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      made[from] ??= {};
      made[from][name] = (from === 'wasi_snapshot_preview1' ? calls[name] : undefined) ?? missing(from, name);
    }
    return made;
  }

  function output(descriptor) {
    const chunks = written.get(descriptor);
    const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  return { imports, output };
}

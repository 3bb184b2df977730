// Scenes of shrink.test.ts, in a process of their own: node scenes.cjs <the program's script> <scene>. Prints what was found as JSON.

const factory = require(process.argv[2]);
const kLarge = 10_000_000;
const shrinkOf = (program) => program.heapglassMemory.shrink();
const said = (error) => `${error.code}: ${error.message}`;
const outcome = (promise) => promise.then(() => 'done', said);

/** A program that held 600 MB and keeps the first 10. */
async function lulled() {
  const program = await factory();
  const blocks = Array.from({ length: 60 }, () => program._hold(kLarge) >>> 0);
  for (const block of blocks.slice(1)) program._let_go(block);
  return { program, low: blocks[0] };
}
/** Older Emscriptens show it among the exports, which may have short names. */
const memoryOf = (program) =>
  program.wasmMemory ?? Object.values(program.asm).find((each) => each instanceof WebAssembly.Memory);
const bytesOf = (program) => program.HEAPU8.length;

/** Refuses call number `nth` of those that an engine may refuse for want of memory; without those of Node itself. */
function refuseCall(nth) {
  const fallible = [
    [WebAssembly, 'instantiate'],
    [WebAssembly.Memory.prototype, 'grow'],
    [WebAssembly.Table.prototype, 'grow'],
    [WebAssembly.Table.prototype, 'set'],
    [Uint8Array.prototype, 'set'],
    ...['Uint8Array', 'Uint32Array', 'Int8Array', 'Int32Array'].map((name) => [globalThis, name]),
  ];
  let calls = 0;
  let refused;
  const isProgram = (stack) => stack.split('\n').some((line) => line.includes(process.argv[2])); // the program's script, and shrink in it
  const count = (name) => {
    if (!isProgram(new Error().stack) || ++calls !== nth) return;
    refused = name;
    throw new RangeError(`${name}: refused by the test`);
  };
  const isRefused = (act) => {
    try {
      act();
    } catch {
      return true;
    }
    return false;
  };
  const kept = fallible.map(([owner, name]) => owner[name]);
  for (const [owner, name] of fallible) {
    owner[name] = new Proxy(owner[name], {
      construct(target, given, made) {
        count(`new ${name}`);
        return Reflect.construct(target, given, made);
      },
      apply(target, self, given) {
        if (name !== 'instantiate') count(name);
        else if (isRefused(() => count(name))) return Promise.reject(new RangeError('refused by the test'));
        return Reflect.apply(target, self, given);
      },
    });
  }
  const restore = () => {
    for (const [i, [owner, name]] of fallible.entries()) owner[name] = kept[i];
  };
  return { refused: () => refused, calls: () => calls, restore };
}

/** A program with blocks at both ends of its memory and a function that was added. */
async function inUse() {
  const { program, low } = await lulled();
  const high = program._hold(2 * kLarge) >>> 0;
  program._keep_pointer(program.addFunction((n) => n + 1000, 'ii'));
  const isSame = () =>
    program._sum(low, kLarge) === 90 * kLarge &&
    program._sum(high, 2 * kLarge) === 180 * kLarge &&
    program._call_kept(1) === 1001 &&
    program.HEAPU8.buffer === memoryOf(program).buffer;
  return { program, isSame };
}

/** So many looks of an autoShrink that was begun before: Node runs timers of one period in the order in which they began. */
const ticks = (count, period) =>
  new Promise((resolve) => {
    let left = count;
    const timer = setInterval(() => {
      if (--left > 0) return;
      clearInterval(timer);
      resolve();
    }, period);
  });

async function refusedShrink(program, nth) {
  const refusing = refuseCall(nth);
  const result = await outcome(shrinkOf(program));
  refusing.restore();
  return { refused: refusing.refused(), result };
}

const scenes = {
  async random() {
    const hashes = async (shrinks) => {
      const program = await factory();
      const found = [];
      for (let i = 0; i < 50; ++i) {
        found.push(program._run(200, 64 + i * 80) >>> 0);
        if ((i * 7) % 5 !== 1 && i % 3 !== 2) continue;
        program._trim();
        if (!shrinks) continue;
        await shrinkOf(program);
        ++count;
      }
      return found;
    };
    let count = 0;
    return { with: await hashes(true), without: await hashes(false), shrinks: count };
  },

  async lull() {
    const { program, low } = await lulled();
    const view = program.HEAPU8;
    const { before, after, copied } = await shrinkOf(program);
    const sum = program._sum(low, kLarge);
    const text = program.ccall('total_of', 'number', ['string'], ['abc']);
    const mixed = program._mix(1, 2, 3, 4, 5, 6, 7);
    const again = program._sum(program._hold(1000), 1000);
    return { before, after, copied, sum, text, mixed, again, staleLength: view.length };
  },

  async collected() {
    const { program } = await lulled();
    const old = new WeakRef(memoryOf(program));
    await shrinkOf(program);
    const isCurrent = memoryOf(program).buffer === program.HEAPU8.buffer;
    for (let turn = 0; turn < 3; ++turn) {
      await new Promise((resolve) => setTimeout(resolve));
      globalThis.gc();
    }
    return { isCurrent, isCollected: old.deref() === undefined };
  },

  async pointers() {
    const { program } = await lulled();
    const [twice, thrice] = [program._function_pointer(2), program._function_pointer(3)];
    const wrapped = program.cwrap('call_pointer', 'number', ['number', 'number']);
    const added = program.addFunction((n) => n + 1000, 'ii');
    program._keep_pointer(added);
    const outside = [program._call_kept(1)];
    await shrinkOf(program);
    outside.push(program._call_kept(1));
    const inside = [program._call_pointer(twice, 21), program._call_pointer(thrice, 21)];
    program.removeFunction(added);
    const replacing = program.addFunction((n) => n + 2000, 'ii');
    program._keep_pointer(replacing);
    const replaced = [program._call_kept(1)];
    await shrinkOf(program);
    replaced.push(program._call_kept(1));
    const later = program._call_pointer(
      program.addFunction((n) => n + 3000, 'ii'),
      1,
    );
    return { inside, outside, replaced, later, wrapped: wrapped(twice, 21) };
  },

  async refusals() {
    const { program } = await lulled();
    let during;
    program.duringCall = () => {
      during = outcome(shrinkOf(program));
      return 0;
    };
    program._calls_out();
    const thrown = await (async () => {
      program.duringCall = () => {
        throw new Error('out of a call');
      };
      try {
        program._calls_out();
      } catch {}
      return outcome(shrinkOf(program));
    })();
    const bytes = require('node:fs').readFileSync(process.argv[2].replace(/\.js$/, '.wasm'));
    const own = await factory({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => receive(instance, module));
        return {};
      },
    });
    const after = program._call_pointer(program._function_pointer(2), 21);
    return { during: await during, thrown, own: await outcome(shrinkOf(own)), after };
  },

  async failures() {
    const failing = () => {
      throw new RangeError('refused by the test');
    };
    const { set } = Uint8Array.prototype;
    const steps = {
      instance: [WebAssembly, 'instantiate', () => Promise.reject(new RangeError('refused by the test'))],
      growth: [WebAssembly.Memory.prototype, 'grow', failing],
      copy: [
        Uint8Array.prototype,
        'set',
        function (from, at) {
          if (this.buffer.byteLength >= 1 << 20) failing();
          set.call(this, from, at);
        },
      ],
      table: [WebAssembly.Table.prototype, 'grow', failing],
    };
    const found = {};
    const tried = async (fail, restore) => {
      const { program, low } = await lulled();
      const high = program._hold(2 * kLarge) >>> 0; // so that the fresh memory grows
      program._keep_pointer(program.addFunction((n) => n + 1000, 'ii')); // and the table
      const before = bytesOf(program);
      fail(program);
      const rejected = (await outcome(shrinkOf(program))) !== 'done';
      restore(program);
      const same =
        bytesOf(program) === before &&
        program._sum(low, kLarge) === 90 * kLarge &&
        program._sum(high, 2 * kLarge) === 180 * kLarge &&
        program._call_kept(1) === 1001;
      const shrunk = await shrinkOf(program);
      const live = program._sum(high, 2 * kLarge) === 180 * kLarge && program._call_kept(1) === 1001;
      return { rejected, same, later: live && shrunk.after < before ? 'shrunk' : 'broken' };
    };
    for (const [step, [owner, name, fail]] of Object.entries(steps)) {
      const kept = owner[name];
      found[step] = await tried(
        () => {
          owner[name] = fail;
        },
        () => {
          owner[name] = kept;
        },
      );
    }
    // The last step is in wasm: it traps when its word of the page source is no address.
    const { instantiate } = WebAssembly;
    found.allocator = await tried(
      () => {
        WebAssembly.instantiate = async (module, imports) => {
          const instance = await instantiate.call(WebAssembly, module, imports);
          const exports = {};
          for (const [name, value] of Object.entries(instance.exports)) {
            exports[name] = typeof value === 'function' && value.length === 1 ? failing : value;
          }
          return { exports };
        };
      },
      () => {
        WebAssembly.instantiate = instantiate;
      },
    );
    return found;
  },

  /** Each call that an engine may refuse is refused once, from the first to the last. */
  /** Of `all` calls that a shrink makes and an engine may refuse, the first is refused, then the second, and so on; `late`: those behind the exchange. */
  async refusedOnce() {
    const counted = await inUse();
    const counting = refuseCall(Number.POSITIVE_INFINITY);
    await shrinkOf(counted.program);
    counting.restore();
    const found = { wrong: [], refused: new Set(), all: counting.calls(), calls: 0, late: 0 };
    const { program, isSame } = await inUse();
    const before = bytesOf(program);
    for (let nth = 1; bytesOf(program) === before; ++nth) {
      const { refused, result } = await refusedShrink(program, nth);
      if (!isSame()) found.wrong.push(`${nth}, ${refused}: not what it was`);
      if (bytesOf(program) < before) break;
      if (result === 'done' || refused === undefined) found.wrong.push(`${nth}, ${refused}: ${result}`);
      found.refused.add(refused);
      found.calls = nth;
    }
    for (let nth = found.calls + 1; nth <= found.all; ++nth) {
      const other = await inUse();
      const { refused, result } = await refusedShrink(other.program, nth);
      const isDone = bytesOf(other.program) < before;
      if (!other.isSame() || refused === undefined || isDone !== (result === 'done'))
        found.wrong.push(`${nth}, ${refused}: ${result}`);
      found.late += isDone ? 1 : 0;
    }
    return { ...found, refused: [...found.refused] };
  },

  async auto() {
    const { program } = await lulled();
    const before = bytesOf(program);
    let shrinks = 0;
    const shrunk = new Promise((resolve) => {
      const onShrink = () => {
        ++shrinks;
        resolve();
      };
      program.heapglassMemory.autoShrink({ above: 2, idle: 20, onShrink });
    });
    const awake = setInterval(() => {}, 1000); // autoShrink keeps no process alive
    await shrunk;
    await ticks(4, 20);
    clearInterval(awake);
    return { shrinks, smaller: bytesOf(program) < before / 10 };
  },

  /** Its last block lies high, so the memory stays long. */
  async autoHigh() {
    const program = await factory();
    const blocks = Array.from({ length: 12 }, () => program._hold(kLarge) >>> 0);
    for (const block of blocks.slice(0, -1)) program._let_go(block);
    let shrinks = 0;
    let onShrink;
    const next = () => new Promise((resolve) => (onShrink = resolve));
    const looks = () => ticks(4, 20);
    const once = next();
    program.heapglassMemory.autoShrink({ above: 2, idle: 20, onShrink: () => onShrink(++shrinks) });
    const awake = setInterval(() => {}, 1000);
    await once;
    await looks();
    const first = shrinks;
    const again = program._hold(5 * kLarge);
    await looks();
    program._let_go(again);
    await next();
    await looks();
    clearInterval(awake);
    return { first, second: shrinks };
  },

  /** Looks, and never shrinks. */
  async trims() {
    const program = await factory();
    const blocks = Array.from({ length: 20_000 }, () => program._hold(100) >>> 0);
    for (const block of blocks) program._let_go(block);
    const { heapglassMemory: memory } = program;
    const cached = memory.returnable();
    memory.autoShrink({ above: 1e9, idle: 20 });
    await ticks(4, 20);
    return { cached, trimmed: memory.returnable(), length: bytesOf(program) };
  },

  async outcome() {
    return { outcome: await outcome(shrinkOf(await factory())) };
  },

  async traced() {
    const program = await factory();
    for (let i = 0; i < 6; ++i) {
      program._run(300, 64 + i * 500);
      if (i % 2 === 1) await shrinkOf(program);
    }
    program.heapglass.checkpoint();
    const file = process.argv[2].replace(/\.js$/, '.hgtrace');
    require('node:fs').writeFileSync(file, program.heapglass.trace());
    return { file };
  },

  async suspended() {
    const program = await factory();
    program._let_go(program._hold(50_000_000));
    const sleeping = program.ccall('sleeps', 'number', ['number'], [30], { async: true });
    const during = await outcome(shrinkOf(program));
    const slept = await sleeping;
    const after = await outcome(shrinkOf(program));
    const again = await program.ccall('sleeps', 'number', ['number'], [1], { async: true });
    return { during, slept, after, again };
  },

  async bound() {
    const calls = async (shrinks) => {
      const program = await factory();
      const store = new program.Store();
      const found = [];
      let state = 77;
      const random = (n) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
        return (state >>> 8) % n;
      };
      for (let i = 0; i < 10_000; ++i) {
        const key = random(400);
        const what = random(6);
        if (what < 3) store.put(key, 'x'.repeat(random(3000)) + key);
        else if (what === 3) store.erase(key);
        else if (what === 4) found.push(store.get_or(key, 'none').length);
        else if (i % 20 === 0) found.push(store.each((k, text) => k + text.length));
        if (i % 50 === 0) {
          const keys = store.keys();
          found.push(store.size(), keys.size());
          keys.delete();
        }
        if (!shrinks || i % 100 !== 63) continue;
        await shrinkOf(program);
        ++count;
      }
      store.delete();
      return found;
    };
    let count = 0;
    return { with: await calls(true), without: await calls(false), shrinks: count };
  },
};

scenes[process.argv[3]]().then((found) => console.log(`\n${JSON.stringify(found)}`));

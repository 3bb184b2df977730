// The recorder of a program linked with --profile trace or checked: an Emscripten JavaScript library, printed by
// `npx heapglass --ldflags`. It makes Module.heapglass; the type is Recorder in web/src/record/recorder_types.ts.
//
//   a thread finds the ring full
//     └▶ heapglass_take: one copy of its records, tail moves      in that thread's own JavaScript, under the lock of the trace
//          ├▶ HEAPGLASS_RECORD (Node): a segment of the file, at once
//          └▶ a packet to the main thread, when someone wants it: direct, or over a BroadcastChannel
//               └▶ heapglass_packets.js: in order, kept, handed to listeners
//
//  J1  Nothing here looks at single events. A drain copies up to 256 KiB once, twice when it crosses threads.
//  J2  No view on memory outlives a function: growth would detach it.
//  J3  While `busy`, heapglass_take is on the stack, hence malloc: nothing of the program may be called.
//  J4  Packets of other threads wait in the main thread's queue while it works. They are not lost, but they are in memory. Under Node
//      records() and the end of the process fetch them; in a page they come when the main thread returns to its event loop.
//  J5  For Emscripten 3.1.6 and newer: functions of the library by the word `function`, no syntax newer than 2018, no
//      destructuring: the optimizer of 3.1.6 loses it in loops.
//  J6  The program's functions are called as bare exports where their names are whole: with ASSERTIONS the others end the process when
//      the runtime has ended, but a timer may come after that, and the records can still be read.
mergeInto(LibraryManager.library, {
  $heapglassRecorder: {},
  $startHeapglassRecorder__deps: ['$heapglassRecorder', '$heapglassTraceFile', '$makeHeapglassPackets'],
  $startHeapglassRecorder__postset: 'startHeapglassRecorder();',
  $startHeapglassRecorder: function () {
    // Words of hg_ring (event.h), and of the state that threads share (wasm_recorder.cpp).
    const ring = {
      version: 0,
      capacity: 1,
      head: 2,
      tail: 4,
      mode: 6,
      enabled: 7,
      records: 8,
      wordSize: 9,
      due: 10,
      snapshot: 11,
      snapshotRecords: 13,
    };
    const shared = { next: 0, lap: 1, file: 2, channel: 3, posts: 4, every: 5, written: 6, sites: 10 };
    const kWords = 4; // of a record
    const kEventsLost = 62;
    const kModes = { drop: 0, lossless: 1 };
    const kDefaultKeep = 4194304; // events: 64 MiB
    const kTextBytes = 240; // of a mark
    const kDrainEvery = 50; // milliseconds, while someone listens
    const isNode = typeof process === 'object' && typeof process.getBuiltinModule === 'function';
    const isThread =
      (typeof ENVIRONMENT_IS_PTHREAD !== 'undefined' && !!ENVIRONMENT_IS_PTHREAD) ||
      (typeof ENVIRONMENT_IS_WASM_WORKER !== 'undefined' && !!ENVIRONMENT_IS_WASM_WORKER);

    const memory = () => new Uint32Array(wasmMemory.buffer);
    const asBytes = (words) => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    const number = (words, at) => words[at] + words[at + 1] * 4294967296;
    const setNumber = (words, at, value) => {
      words[at] = value % 4294967296;
      words[at + 1] = Math.floor(value / 4294967296);
    };

    let channel; // a BroadcastChannel, made when it is needed
    const channelOf = (id) => {
      if (channel === undefined) channel = new BroadcastChannel(`heapglass-${id}`);
      return channel;
    };

    // ---- taking: any thread ----

    // After so many events as are wished for, but no more often than it doubles what is written.
    const isSnapshotDue = (words, head, snapshot, r, s) => {
      const every = words[s + shared.every];
      const size = words[r + ring.snapshotRecords];
      return every > 0 && head - snapshot - size >= Math.max(every, size);
    };

    // A packet's records are its receivers'; what only goes to the file is gone when it was written.
    let written; // room for the latter
    const roomFor = (count, isPacket) => {
      if (isPacket) return new Uint32Array(count);
      if (written === undefined || written.length < count) written = new Uint32Array(count);
      return written.subarray(0, count);
    };

    // All unread records up to `head`, behind an events_lost when some were overwritten. r, s: ring and state, as word addresses.
    const takeUpTo = (head, r, s) => {
      const words = memory();
      const tail = number(words, r + ring.tail);
      if (head <= tail) return;
      const capacity = words[r + ring.capacity];
      const lost = Math.max(0, head - tail - capacity);
      const from = tail + lost;
      const count = head - from;
      setNumber(words, r + ring.tail, head);
      const snapshot = number(words, r + ring.snapshot);
      if (lost > 0 || isSnapshotDue(words, head, snapshot, r, s)) words[r + ring.due] = 1;
      if (words[s + shared.file] === 0 && words[s + shared.posts] === 0) return;
      const before = lost > 0 ? kWords : 0;
      const records = roomFor(before + count * kWords, words[s + shared.posts] !== 0);
      if (lost > 0) records.set([kEventsLost, lost, 0, 0]);
      const first = from % capacity;
      const inFirstRun = Math.min(count, capacity - first);
      const at = words[r + ring.records] >>> 2;
      records.set(words.subarray(at + first * kWords, at + (first + inFirstRun) * kWords), before);
      records.set(words.subarray(at, at + (count - inFirstRun) * kWords), before + inFirstRun * kWords);
      if (words[s + shared.file] !== 0) writeSegment(words, s, records);
      if (words[s + shared.posts] === 0) return;
      const packet = { from, count, lost, snapshot, records, sites: words[s + shared.sites] !== 0 };
      if (isThread) channelOf(words[s + shared.channel]).postMessage(packet);
      else packets.accept(packet);
    };

    let busy = false; // J3
    heapglassRecorder.take = (ringAddress, stateAddress) => {
      const at = ringAddress >>> 2;
      busy = true;
      try {
        takeUpTo(number(memory(), at + ring.head), at, stateAddress >>> 2);
      } finally {
        busy = false;
      }
    };

    const writeParts = (file, parts) => {
      const fs = process.getBuiltinModule('fs');
      for (const part of parts) {
        const bytes = asBytes(part);
        for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at);
      }
    };
    // Never throws: it runs inside malloc.
    const writeSegment = (words, s, records) => {
      const first = number(words, s + shared.written);
      try {
        writeParts(words[s + shared.file] - 1, heapglassTraceFile.segment(first, records));
        setNumber(words, s + shared.written, first + records.length / kWords);
      } catch (error) {
        words[s + shared.file] = 0;
        console.error(`heapglass: recording ends, the file cannot be written: ${error.message}`);
      }
    };

    // Nothing here calls them: named, so that the optimizer of -O3 leaves them for what `heapglass instrument --stacks` adds.
    heapglassRecorder.wrappers = () => [
      _hg_recorder_enter,
      _hg_recorder_leave,
      _hg_recorder_define_site,
      _hg_malloc,
      _hg_calloc,
      _hg_realloc,
      _hg_memalign,
    ];

    if (isThread) {
      heapglassRecorder.begin = () => 2; // not recorded; the main thread always comes first
      return;
    }

    // ---- the main thread ----

    const packets = makeHeapglassPackets();
    let r = 0; // the ring
    let s = 0; // the shared state; 0: no event yet
    let timer;
    let chosenKeep; // by Module.heapglass.keep, before the first event

    // Events written so far, without calling the program: it may be inside malloc, or have died there.
    const headNow = () => {
      const words = memory();
      const written = (words[words[s + shared.next] >>> 2] - words[r + ring.records]) / (kWords * 4);
      return number(words, words[s + shared.lap] >>> 2) + written;
    };
    // Packets of other threads that wait in the queue (J4).
    const fetchWaiting = () => {
      if (channel === undefined || !isNode) return;
      const receive = process.getBuiltinModule('worker_threads').receiveMessageOnPort;
      for (let got = receive(channel); got !== undefined; got = receive(channel)) packets.accept(got.message);
    };
    // J6
    const bare = (name, wrapped) => {
      const all = typeof wasmExports !== 'undefined' ? wasmExports : Module['asm'] || {};
      return all[name] || wrapped;
    };
    const program = {
      take: () => bare('hg_recorder_take', _hg_recorder_take)(),
      snapshot: () => bare('hg_recorder_snapshot', _hg_recorder_snapshot)(),
      checkpoint: () => bare('hg_recorder_checkpoint', _hg_recorder_checkpoint)(),
      text: () => bare('hg_recorder_text', _hg_recorder_text)(),
      mark: () => bare('hg_recorder_mark', _hg_recorder_mark)(),
      pause: () => bare('hg_recorder_pause', _hg_recorder_pause)(),
      resume: () => bare('hg_recorder_resume', _hg_recorder_resume)(),
    };
    const drain = () => {
      if (s === 0 || busy) return;
      fetchWaiting();
      if (program.take() === 0) return; // a thread that has died holds the lock
      if (memory()[r + ring.due] === 0) return;
      program.snapshot();
      program.take();
    };
    // What depends on who wants packets.
    const settle = () => {
      if (s === 0) return;
      const words = memory();
      if (packets.wanted && words[s + shared.posts] === 0) packets.restart();
      words[s + shared.posts] = packets.wanted ? 1 : 0;
      words[s + shared.every] = typeof packets.keep === 'number' ? Math.ceil(packets.keep / 2) : 0;
      const isDrop = words[r + ring.mode] === kModes.drop;
      const ticks = packets.listeners > 0 || words[s + shared.file] !== 0 || (isDrop && packets.wanted);
      if (ticks === (timer !== undefined)) return;
      clearInterval(timer);
      timer = ticks ? setInterval(drain, kDrainEvery) : undefined;
      if (ticks && timer.unref !== undefined) timer.unref();
    };
    const outside = (what) => {
      if (!busy) return;
      throw new Error(
        `heapglass: a listener runs inside malloc, where ${what} is not possible; do it after the listener has returned`,
      );
    };
    const refuse = (what, value, known) => {
      throw new Error(`heapglass: ${what} "${value}" is unknown; it is ${known}`);
    };
    const keepOf = (value) => {
      if (value === 'all' || value === 'none') return value;
      const events = typeof value === 'boolean' ? 0 : Number(value);
      if (!(events >= 1 && Number.isSafeInteger(events)))
        refuse('what to keep,', value, '"all", "none" or a number of events from 1 on');
      return events;
    };

    // What the environment says (Node), else Module.heapglassOptions.
    const readSettings = () => {
      const options = Module['heapglassOptions'] || {};
      const set = isNode ? process.env : {};
      for (const name of Object.keys(options)) {
        if (name !== 'mode' && name !== 'keep') refuse('the option', name, '"mode" or "keep"');
      }
      const mode = set['HEAPGLASS_MODE'] || options['mode'] || 'lossless';
      if (kModes[mode] === undefined) refuse('the mode', mode, '"lossless" or "drop"');
      const file = set['HEAPGLASS_RECORD'] || undefined;
      const given = set['HEAPGLASS_KEEP'] || options['keep'];
      const keep = given === undefined ? (file === undefined ? kDefaultKeep : 'all') : keepOf(given);
      return { mode: mode, keep: keep, file: file };
    };
    readSettings(); // a wrong one is told before the program begins

    // ---- the beginning: the first event, inside the first malloc ----

    heapglassRecorder.begin = (ringAddress, stateAddress) => {
      const settings = readSettings();
      const keep = chosenKeep === undefined ? settings.keep : chosenKeep;
      r = ringAddress >>> 2;
      s = stateAddress >>> 2;
      const words = memory();
      words[r + ring.mode] = kModes[settings.mode];
      words[s + shared.channel] = Math.floor(Math.random() * 2147483647) + 1;
      const streamed = settings.file !== undefined && typeof keep !== 'number';
      packets.setKeep(streamed ? 'none' : keep, 0);
      if (settings.file !== undefined) recordTo(settings.file, streamed, words);
      if (typeof ENVIRONMENT_IS_PTHREAD !== 'undefined' && typeof BroadcastChannel === 'function') {
        channelOf(words[s + shared.channel]).onmessage = (message) => packets.accept(message.data);
        if (channel.unref !== undefined) channel.unref();
      }
      settle();
      return kModes[settings.mode];
    };

    // HEAPGLASS_RECORD: all events go to the file as they come (streamed); or, with a number to keep, the last ones at the end. A
    // second module of the process gets a number in its name.
    const recordTo = (wanted, streamed, words) => {
      const fs = process.getBuiltinModule('fs');
      const nth = (process.heapglassFiles || 0) + 1;
      process.heapglassFiles = nth;
      const path = nth === 1 ? wanted : wanted.replace(/(\.[^./\\]*)?$/, `-${nth}$1`);
      const title = (process.argv[1] || '').replace(/^.*[/\\]/, '') || undefined;
      const file = fs.openSync(path, 'w');
      const about = [words[r + ring.version], words[r + ring.wordSize], title];
      if (streamed) {
        writeParts(file, heapglassTraceFile.header(...about));
        words[s + shared.file] = file + 1;
      }
      let ended = false;
      const finish = (whole) => {
        if (ended) return;
        ended = true;
        clearInterval(timer);
        if (whole) proveAtEnd();
        fetchWaiting();
        takeUpTo(headNow(), r, s);
        const now = memory();
        const parts = streamed
          ? heapglassTraceFile.end(number(now, s + shared.written))
          : heapglassTraceFile.whole(...about, packets.records(0));
        if (!streamed || now[s + shared.file] !== 0) writeParts(file, parts);
        now[s + shared.file] = 0;
        now[s + shared.posts] = 0;
        fs.closeSync(file);
      };
      process.on('exit', () => finish(true));
      process.on('uncaughtExceptionMonitor', (error) => {
        if (error === null || typeof error !== 'object' || error.name !== 'ExitStatus') finish(false);
      });
    };
    // The last events and a checkpoint.
    const proveAtEnd = () => {
      try {
        if (program.take() === 0) return;
        if (memory()[r + ring.due] !== 0) program.snapshot();
        program.checkpoint();
      } catch (_error) {
        // The program cannot be called any more: all events, but no proof at the end.
      }
    };

    // ---- Module.heapglass ----

    // UTF-8 of at most kTextBytes; a letter that is cut goes.
    const bytesOfText = (text) => {
      const bytes = new TextEncoder().encode(String(text));
      let end = Math.min(bytes.length, kTextBytes);
      while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) --end;
      return [...bytes.subarray(0, end), 0];
    };
    const about = () => [memory()[r + ring.version], memory()[r + ring.wordSize], undefined];

    Module['heapglass'] = {
      get version() {
        return s === 0 ? 0 : memory()[r + ring.version];
      },
      get mode() {
        if (s === 0) return readSettings().mode;
        return memory()[r + ring.mode] === kModes.drop ? 'drop' : 'lossless';
      },
      get count() {
        return s === 0 ? 0 : headNow();
      },
      get lost() {
        drain();
        return packets.lost;
      },
      get paused() {
        return s !== 0 && memory()[r + ring.enabled] === 0;
      },
      get keep() {
        return s === 0 ? chosenKeep || readSettings().keep : packets.keep;
      },
      set keep(value) {
        outside('to set keep');
        chosenKeep = keepOf(value);
        if (s === 0) return;
        drain();
        packets.setKeep(chosenKeep, headNow());
        settle();
        this.snapshot();
      },
      drain,
      subscribe(call, options) {
        outside('subscribe');
        drain();
        const listening = packets.listen(call, Boolean(options && options.past), this.count);
        settle();
        if (!listening.known) this.snapshot();
        return () => {
          listening.end();
          settle();
        };
      },
      records(from = 0) {
        drain();
        return asBytes(packets.records(from));
      },
      trace() {
        drain();
        return asBytes(packets.joined(heapglassTraceFile.whole(...about(), packets.records(0))));
      },
      snapshot() {
        outside('snapshot');
        if (this.count === 0) return;
        program.snapshot();
        drain();
      },
      checkpoint() {
        outside('checkpoint');
        if (this.count === 0) return;
        program.checkpoint();
        drain();
      },
      mark(text) {
        outside('mark');
        if (this.count === 0) return;
        const at = program.text();
        new Uint8Array(wasmMemory.buffer).set(bytesOfText(text), at);
        program.mark();
      },
      pause() {
        outside('pause');
        if (s !== 0) program.pause();
      },
      resume() {
        outside('resume');
        if (s === 0) return;
        program.resume();
        drain();
      },
    };
  },

  heapglass_begin__deps: ['$heapglassRecorder', '$startHeapglassRecorder'],
  heapglass_begin: function (ring, state) {
    return heapglassRecorder.begin(ring, state);
  },
  heapglass_take__deps: ['$heapglassRecorder', '$startHeapglassRecorder'],
  heapglass_take: function (ring, state) {
    heapglassRecorder.take(ring, state);
  },
});

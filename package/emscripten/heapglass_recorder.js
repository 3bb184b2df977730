// The recorder of a program linked with --profile trace or checked: an Emscripten JavaScript library, printed by
// `npx heapglass --ldflags`. Makes Module.heapglass; its type is Recorder in web/src/record/recorder_types.ts.
//
//   a thread finds the ring full
//     └▶ heapglass_take: one copy of its records, tail moves      in that thread's own JavaScript, under the lock of the trace
//          ├▶ HEAPGLASS_RECORD (Node): a segment of the file, at once
//          └▶ a packet to the main thread, when someone wants it: direct, or over a BroadcastChannel
//               └▶ in order of `from`: kept, handed to listeners
//
//  J1  Nothing here looks at single events. A drain copies up to 256 KiB once, twice when it crosses threads.
//  J2  No view on memory outlives a function: growth would detach it.
//  J3  While `busy`, heapglass_take is on the stack, hence malloc: nothing of the program may be called.
//  J4  Packets of other threads wait in the main thread's queue while it works. They are not lost, but they are in memory. Under Node
//      records() and the end of the process fetch them; in a page they come when the main thread returns to its event loop.
//  J5  It is written for Emscripten 3.1.6 and newer: no getter outside of functions, no syntax newer than 2018.
mergeInto(LibraryManager.library, {
  $heapglassRecorder: {},
  $startHeapglassRecorder__deps: ['$heapglassRecorder'],
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
    };
    const shared = { next: 0, lap: 1, file: 2, channel: 3, posts: 4, every: 5, written: 6 };
    const kWords = 4; // of a record
    const kEventsLost = 62;
    const kModes = { drop: 0, lossless: 1 };
    const kDefaultKeep = 4194304; // events: 64 MiB
    const kTextBytes = 240; // of a mark
    const kNodeBuiltins = typeof process === 'object' && typeof process.getBuiltinModule === 'function';
    const isThread =
      (typeof ENVIRONMENT_IS_PTHREAD !== 'undefined' && !!ENVIRONMENT_IS_PTHREAD) ||
      (typeof ENVIRONMENT_IS_WASM_WORKER !== 'undefined' && !!ENVIRONMENT_IS_WASM_WORKER);

    const memory = () => new Uint32Array(wasmMemory.buffer);
    const number = (words, at) => words[at] + words[at + 1] * 4294967296;
    const setNumber = (words, at, value) => {
      words[at] = value % 4294967296;
      words[at + 1] = Math.floor(value / 4294967296);
    };
    const lostRecord = (count) => Uint32Array.of(kEventsLost, count, 0, 0);

    let channel; // a BroadcastChannel, made when it is needed
    const channelOf = (id) => {
      if (channel === undefined) channel = new BroadcastChannel(`heapglass-${id}`);
      return channel;
    };

    // ---- taking: any thread ----

    // All unread records up to `head`, behind an events_lost when some were overwritten.
    const takeUpTo = (head, r, s) => {
      const words = memory();
      const tail = number(words, r + ring.tail);
      if (head <= tail) return;
      const capacity = words[r + ring.capacity];
      const lost = Math.max(0, head - tail - capacity);
      const from = tail + lost;
      const count = head - from;
      setNumber(words, r + ring.tail, head);
      if (lost > 0) words[r + ring.due] = 1;
      const snapshot = number(words, r + ring.snapshot);
      if (words[s + shared.every] > 0 && head - snapshot >= words[s + shared.every]) words[r + ring.due] = 1;
      if (words[s + shared.file] === 0 && words[s + shared.posts] === 0) return;
      const before = lost > 0 ? kWords : 0;
      const records = new Uint32Array(before + count * kWords);
      if (lost > 0) records.set(lostRecord(lost));
      const first = from % capacity;
      const inFirstRun = Math.min(count, capacity - first);
      const at = words[r + ring.records] >>> 2;
      records.set(words.subarray(at + first * kWords, at + (first + inFirstRun) * kWords), before);
      records.set(words.subarray(at, at + (count - inFirstRun) * kWords), before + inFirstRun * kWords);
      if (words[s + shared.file] !== 0) writeSegment(words, s, records);
      if (words[s + shared.posts] === 0) return;
      const packet = { from, count, lost, snapshot, records };
      if (isThread) channelOf(words[s + shared.channel]).postMessage(packet);
      else accept(packet);
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

    // ---- trace files: docs/trace_format.md ----

    let crcTable;
    const crcOf = (words) => {
      const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
      const zlib = kNodeBuiltins ? process.getBuiltinModule('zlib') : undefined;
      if (zlib !== undefined && zlib.crc32 !== undefined) return zlib.crc32(bytes);
      if (crcTable === undefined) {
        crcTable = new Uint32Array(256).map((_, n) => {
          for (let bit = 0; bit < 8; ++bit) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
          return n;
        });
      }
      let crc = -1;
      for (let i = 0; i < bytes.length; ++i) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[i]) & 255];
      return ~crc >>> 0;
    };
    const kSegment = 0x31676573; // 'seg1'
    const kEnd = 0x31646e65; // 'end1'
    const kSegmentEvents = 65536; // at most
    const fileHeader = (version, wordSize, title) => {
      const json = JSON.stringify(title === undefined ? {} : { title });
      const text = new TextEncoder().encode(json.padEnd(json.length + 16));
      const notes = new Uint32Array((text.length >>> 4) * kWords);
      new Uint8Array(notes.buffer).fill(32);
      new Uint8Array(notes.buffer).set(text.subarray(0, notes.length * 4));
      const header = Uint32Array.of(0x74676889, 0x0a1a0a0d, version, 1, wordSize, notes.length, crcOf(notes), 0);
      header[7] = crcOf(header.subarray(0, 7));
      return [header, notes];
    };
    const segment = (first, records) => [
      Uint32Array.of(kSegment, records.length / kWords, first, crcOf(records)),
      records,
    ];
    const fileEnd = (count) => {
      const end = Uint32Array.of(kEnd, count, 0, 0);
      end[3] = crcOf(end.subarray(0, 3));
      return [end];
    };

    const bytesOf = (parts) => parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    const writeParts = (file, parts) => {
      const fs = process.getBuiltinModule('fs');
      for (const bytes of bytesOf(parts)) {
        for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at);
      }
    };
    // Never throws: it runs inside malloc.
    const writeSegment = (words, s, records) => {
      const first = number(words, s + shared.written);
      try {
        writeParts(words[s + shared.file] - 1, segment(first, records));
        setNumber(words, s + shared.written, first + records.length / kWords);
      } catch (error) {
        words[s + shared.file] = 0;
        console.error(`heapglass: recording ends, the file cannot be written: ${error.message}`);
      }
    };

    if (isThread) {
      heapglassRecorder.begin = () => 2; // not recorded; the main thread always comes first
      return;
    }

    // ---- the main thread: order, what is kept, listeners ----

    let r = 0; // the ring, as a word address
    let s = 0; // the shared state; 0: no event yet
    let keep = kDefaultKeep;
    let next; // the event number that the next packet in order begins with; undefined: that of the next direct one
    let lost = 0;
    const waiting = []; // packets out of order
    let kept = [];
    let base = 0; // number of the first kept event
    const snapshots = []; // numbers of snapshot_begun among the kept, rising
    const listeners = new Set();
    let timer;

    const accept = (packet) => {
      if (next === undefined) next = packet.from - packet.lost;
      waiting.push(packet);
      waiting.sort((a, b) => a.from - b.from);
      while (waiting.length > 0 && waiting[0].from - waiting[0].lost <= next) deliver(waiting.shift());
    };

    const deliver = (packet) => {
      if (packet.from + packet.count <= next) return;
      next = packet.from + packet.count;
      lost += packet.lost;
      if (keep !== 'none') {
        if (kept.length === 0) base = packet.from - packet.lost;
        kept.push(packet);
        if (packet.snapshot > (snapshots.length > 0 ? snapshots[snapshots.length - 1] : -1))
          snapshots.push(packet.snapshot);
        trim();
      }
      for (const listener of listeners) hand(listener, packet);
    };

    // Keeps at least the last `keep` events, and as many before them as lead back to a snapshot.
    const trim = () => {
      if (typeof keep !== 'number') return;
      let begin = base;
      while (snapshots.length > 0 && next - snapshots[0] >= keep) begin = Math.max(begin, snapshots.shift());
      if (begin === base) return;
      snapshots.unshift(begin);
      base = begin;
      kept = kept.filter((packet) => packet.from + packet.count > base);
    };

    // Records of a packet from event `from` on.
    const cut = ({ from, lost: missing, records }, first) =>
      first <= from - missing || (missing > 0 && first <= from)
        ? records
        : records.subarray((Math.max(0, first - from) + (missing > 0 ? 1 : 0)) * kWords);

    const hand = (listener, packet) => {
      if (packet.from + packet.count <= listener.after) return;
      let records = cut(packet, listener.after);
      if (listener.missing > 0) records = joined([lostRecord(listener.missing), records]);
      listener.missing = 0;
      const from = Math.max(packet.from, listener.after);
      try {
        listener.call({ from, records });
      } catch (error) {
        setTimeout(() => {
          throw error; // not into malloc
        }, 0);
      }
    };

    // Bytes of UTF-8 up to where its last, perhaps cut, letter begins.
    const lastLetter = (bytes) => {
      let end = bytes.length - 1;
      while (end > 0 && (bytes[end] & 0xc0) === 0x80) --end;
      return end;
    };

    const joined = (parts) => {
      const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    };

    // Events written so far, without calling the program: it may be inside malloc, or have died there.
    const headNow = () => {
      const words = memory();
      const written = (words[words[s + shared.next] >>> 2] - words[r + ring.records]) / (kWords * 4);
      return number(words, words[s + shared.lap] >>> 2) + written;
    };

    // ---- where the program is asked ----

    const outside = (what) => {
      if (!busy) return;
      throw new Error(
        `heapglass: a listener runs inside malloc, where ${what} is not possible; do it after the listener has returned`,
      );
    };
    // Packets of other threads that wait in the queue. Node only (J4).
    const fetchWaiting = () => {
      if (channel === undefined || !kNodeBuiltins) return;
      const { receiveMessageOnPort } = process.getBuiltinModule('worker_threads');
      for (let got = receiveMessageOnPort(channel); got !== undefined; got = receiveMessageOnPort(channel))
        accept(got.message);
    };
    const drain = () => {
      if (s === 0 || busy) return;
      fetchWaiting();
      _hg_recorder_take();
    };
    const setPosts = () => {
      const words = memory();
      const posts = keep !== 'none' || listeners.size > 0;
      if (posts && words[s + shared.posts] === 0) next = undefined;
      words[s + shared.every] = typeof keep === 'number' ? Math.ceil(keep / 2) : 0;
      words[s + shared.posts] = posts ? 1 : 0;
    };
    const setTimer = () => {
      const wanted = listeners.size > 0 || memory()[s + shared.file] !== 0;
      if (!wanted) clearInterval(timer);
      if (wanted === (timer !== undefined)) return;
      timer = wanted ? setInterval(drain, 50) : undefined;
      if (wanted && timer.unref !== undefined) timer.unref();
    };

    // ---- the beginning: the first event, inside the first malloc ----

    const refuse = (what, value, known) => {
      throw new Error(`heapglass: ${what} "${value}" is unknown; it is ${known}`);
    };
    const keepOf = (value, what) => {
      if (value === 'all' || value === 'none') return value;
      if (typeof value === 'boolean' || !(Number(value) >= 1) || !Number.isSafeInteger(Number(value)))
        refuse(what, value, '"all", "none" or a number of events from 1 on');
      return Number(value);
    };

    heapglassRecorder.begin = (ringAddress, stateAddress) => {
      r = ringAddress >>> 2;
      s = stateAddress >>> 2;
      const options = Module['heapglassOptions'] || {};
      const set = kNodeBuiltins ? process.env : {};
      for (const name of Object.keys(options)) {
        if (name !== 'mode' && name !== 'keep') refuse('the option', name, '"mode" or "keep"');
      }
      const mode = set['HEAPGLASS_MODE'] || options['mode'] || 'lossless';
      if (kModes[mode] === undefined) refuse('the mode', mode, '"lossless" or "drop"');
      const wantedKeep = set['HEAPGLASS_KEEP'] || options['keep'];
      keep = wantedKeep === undefined ? kDefaultKeep : keepOf(wantedKeep, 'what to keep,');
      const words = memory();
      words[s + shared.channel] = Math.floor(Math.random() * 2147483647) + 1;
      if (set['HEAPGLASS_RECORD']) recordTo(set['HEAPGLASS_RECORD'], wantedKeep, words);
      setPosts();
      if (typeof ENVIRONMENT_IS_PTHREAD !== 'undefined' && typeof BroadcastChannel === 'function') {
        channelOf(words[s + shared.channel]).onmessage = (message) => accept(message.data);
        if (channel.unref !== undefined) channel.unref();
      }
      if (words[s + shared.file] !== 0) setTimer();
      return kModes[mode];
    };

    // HEAPGLASS_RECORD: all events go to the file as they come; or, with a number to keep, the last ones at the end. A second module of
    // the process gets a number in its name.
    const recordTo = (wanted, wantedKeep, words) => {
      const fs = process.getBuiltinModule('fs');
      const nth = (process.heapglassFiles || 0) + 1;
      process.heapglassFiles = nth;
      const path = nth === 1 ? wanted : wanted.replace(/(\.[^./\\]*)?$/, `-${nth}$1`);
      const streamed = wantedKeep === undefined || wantedKeep === 'all';
      const argument = process.argv[1];
      const title = argument === undefined ? undefined : argument.replace(/^.*[/\\]/, '');
      const file = fs.openSync(path, 'w');
      if (streamed) {
        keep = 'none';
        writeParts(file, fileHeader(words[r + ring.version], words[r + ring.wordSize], title));
        words[s + shared.file] = file + 1;
      }
      let ended = false;
      const finish = (whole) => {
        if (ended) return;
        ended = true;
        clearInterval(timer);
        try {
          if (whole) _hg_recorder_checkpoint();
        } catch (_error) {
          // The runtime has ended: all events, but no proof at the end.
        }
        fetchWaiting();
        takeRest();
        const now = memory();
        now[s + shared.file] = now[s + shared.posts] = 0;
        if (!streamed) {
          fs.ftruncateSync(file, 0);
          writeParts(file, traceParts(title));
        } else {
          writeParts(file, fileEnd(number(now, s + shared.written)));
        }
        fs.closeSync(file);
      };
      process.on('exit', () => finish(true));
      process.on('uncaughtExceptionMonitor', (error) => {
        if (error === null || typeof error !== 'object' || error.name !== 'ExitStatus') finish(false);
      });
    };

    // What the ring still holds.
    const takeRest = () => takeUpTo(headNow(), r, s);

    const traceParts = (title) => {
      const words = memory();
      const records = allRecords();
      const parts = fileHeader(words[r + ring.version], words[r + ring.wordSize], title);
      for (let at = 0; at < records.length; at += kSegmentEvents * kWords) {
        parts.push(...segment(at / kWords, records.subarray(at, at + kSegmentEvents * kWords)));
      }
      return [...parts, ...fileEnd(records.length / kWords)];
    };

    // Kept records from event `first` on; from the beginning of what is kept when that is later, behind an events_lost.
    const allRecords = (first = 0) => {
      const from = Math.max(first, base);
      const parts = from > first ? [lostRecord(from - first)] : [];
      for (const packet of kept) {
        if (packet.from + packet.count > from) parts.push(cut(packet, from));
      }
      return joined(parts);
    };

    Module['heapglass'] = {
      get version() {
        return s === 0 ? 0 : memory()[r + ring.version];
      },
      get mode() {
        return s !== 0 && memory()[r + ring.mode] === kModes.drop ? 'drop' : 'lossless';
      },
      get count() {
        return s === 0 ? 0 : headNow();
      },
      get lost() {
        drain();
        return lost;
      },
      get paused() {
        return s !== 0 && memory()[r + ring.enabled] === 0;
      },
      get keep() {
        return keep;
      },
      set keep(value) {
        outside('to set keep');
        keep = keepOf(value, 'what to keep,');
        if (keep === 'none') kept = [];
        if (s !== 0) setPosts();
      },
      drain,
      subscribe(call, { past = false } = {}) {
        outside('subscribe');
        drain();
        const count = this.count;
        const listener = { call, after: past ? base : count, missing: past ? base : count };
        if (past) for (const packet of kept) hand(listener, packet);
        listeners.add(listener);
        if (s !== 0) {
          setPosts();
          setTimer();
          if (!past && count > 0) this.snapshot();
        }
        return () => {
          listeners.delete(listener);
          if (s !== 0) setPosts();
          if (s !== 0) setTimer();
        };
      },
      records(from) {
        drain();
        return bytesOf([allRecords(from)])[0];
      },
      trace() {
        drain();
        return bytesOf([joined(traceParts())])[0];
      },
      snapshot() {
        outside('snapshot');
        if (s === 0) return;
        _hg_recorder_snapshot();
        drain();
      },
      checkpoint() {
        outside('checkpoint');
        if (s === 0) return;
        _hg_recorder_checkpoint();
        drain();
      },
      mark(text) {
        outside('mark');
        if (s === 0) return;
        const at = _hg_recorder_text();
        const bytes = new TextEncoder().encode(String(text)).slice(0, kTextBytes);
        const whole = bytes.length < kTextBytes ? bytes : bytes.slice(0, lastLetter(bytes));
        new Uint8Array(wasmMemory.buffer).set([...whole, 0], at);
        _hg_recorder_mark();
      },
      pause() {
        outside('pause');
        if (s !== 0) _hg_recorder_pause();
      },
      resume() {
        outside('resume');
        if (s === 0) return;
        _hg_recorder_resume();
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

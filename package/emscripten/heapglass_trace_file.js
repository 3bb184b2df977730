// The parts of a trace file as arrays of words, for the recorder: docs/trace_format.md. Segments are plain, not packed, as they are
// written inside malloc; `heapglass convert` packs them. The reader and the packing writer are web/src/trace/.
mergeInto(LibraryManager.library, {
  $heapglassTraceFile: {
    segmentEvents: 65536, // at most
    crcTable: undefined,

    crc: function (words) {
      const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
      const node = typeof process === 'object' && typeof process.getBuiltinModule === 'function';
      const zlib = node ? process.getBuiltinModule('zlib') : undefined;
      if (zlib !== undefined && zlib.crc32 !== undefined) return zlib.crc32(bytes);
      if (heapglassTraceFile.crcTable === undefined) {
        heapglassTraceFile.crcTable = new Uint32Array(256).map((_, n) => {
          for (let bit = 0; bit < 8; ++bit) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
          return n;
        });
      }
      const table = heapglassTraceFile.crcTable;
      let crc = -1;
      for (let i = 0; i < bytes.length; ++i) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]) & 255];
      return ~crc >>> 0;
    },

    // `title` may be undefined.
    header: function (traceVersion, wordSize, title) {
      const crc = heapglassTraceFile.crc;
      const text = new TextEncoder().encode(JSON.stringify({ title }));
      const notes = new Uint32Array(Math.ceil(text.length / 16) * 4);
      new Uint8Array(notes.buffer).fill(32);
      new Uint8Array(notes.buffer).set(text);
      const header = Uint32Array.of(0x74676889, 0x0a1a0a0d, traceVersion, 1, wordSize, notes.length, crc(notes), 0);
      header[7] = crc(header.subarray(0, 7));
      return [header, notes];
    },

    // pre: at most segmentEvents records; `first` is the number of the first in the file
    segment: function (first, records) {
      return [Uint32Array.of(0x31676573, records.length / 4, first, heapglassTraceFile.crc(records)), records];
    },

    end: function (count) {
      const end = Uint32Array.of(0x31646e65, count, 0, 0);
      end[3] = heapglassTraceFile.crc(end.subarray(0, 3));
      return [end];
    },

    // A whole file of records.
    whole: function (traceVersion, wordSize, title, records) {
      const most = heapglassTraceFile.segmentEvents * 4;
      const parts = heapglassTraceFile.header(traceVersion, wordSize, title);
      for (let at = 0; at < records.length; at += most) {
        parts.push(...heapglassTraceFile.segment(at / 4, records.subarray(at, at + most)));
      }
      return parts.concat(heapglassTraceFile.end(records.length / 4));
    },
  },
});

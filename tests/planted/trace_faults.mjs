// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
// Faults of traces, of what follows a running program, and of the recorders that write: linked and instrumented.

const trace = (name) => `web/src/trace/${name}.ts`;
const test = (name) => [`tests/web/${name}.test.ts`];
const kKept = ['tests/instrument/kept.test.ts'];
const kPackets = ['tests/record/packets.test.ts'];

export const kTraceFaults = [
  {
    what: 'a difference of two bytes has no sign',
    file: trace('compact_segment'),
    from: 'byte() | ((byte() << 24) >> 16)',
    to: 'byte() | (byte() << 8)',
    tests: test('trace/compact_segment'),
  },
  {
    what: 'a negative difference is packed as another one',
    file: trace('pack'),
    from: 'change >> 31',
    to: 'change >>> 31',
    tests: test('trace/packed_file'),
  },
  {
    what: 'columns with bytes that nobody reads are taken',
    file: trace('pack'),
    from: 'return at === columnBytes ? records : undefined;',
    to: 'return records;',
    tests: [...test('trace/packed_file'), ...test('trace/hostile')],
  },
  {
    what: 'behind damage a segment that was read already is read again',
    file: trace('trace_reader'),
    from: ': first >= this.#expected;',
    to: ': true;',
    tests: test('trace/packed_file'),
  },
  {
    what: 'the index of a file says that no segment has a snapshot',
    file: trace('trace_writer'),
    from: 'firstSnapshotIn(records) !== undefined',
    to: 'false',
    tests: test('trace/packed_file'),
  },
  {
    what: 'an operation goes on behind a loss',
    file: trace('operations'),
    from: ' else if (kind === EventKind.eventsLost) this.#depth = 0;',
    to: '',
    tests: test('trace/operations'),
  },
  {
    what: 'a mark anywhere in a trace makes it a sample',
    file: trace('sampling'),
    from: '} else if (!kBefore.has(kind)) return undefined;',
    to: '}',
    tests: test('trace/sampling'),
  },
  {
    what: 'a block that comes again keeps its place among the older ones',
    file: 'web/src/instrument/left_blocks.ts',
    from: '        this.#blocks.delete(a); // else it kept its place among the older ones\n',
    to: '',
    tests: test('instrument/left_blocks'),
  },
  {
    what: 'a block that was reallocated is restated as a realloc of nothing',
    file: 'web/src/instrument/left_blocks.ts',
    from: 'const written = op === Op.reallocate ? Op.allocate : op;',
    to: 'const written = op;',
    tests: test('instrument/left_blocks'),
  },
  {
    what: 'behind a pause all events so far count as lost',
    file: 'web/src/instrument/left_store.ts',
    from: 'this.#anew(head, head - from)',
    to: 'this.#anew(head, head)',
    tests: kKept,
  },
  {
    what: 'a call has one site, whoever called its caller',
    file: 'web/src/instrument/site_writer.ts',
    from: 'numberIn(sites, `${parent} ${at}`',
    to: 'numberIn(sites, `${at}`',
    tests: ['tests/web/instrument/stacks.test.ts'],
  },
  {
    what: 'a checkpoint is news, so that it asks for the next one',
    file: 'web/src/live/feed.ts',
    from: 'if (!isProof(records)) news +=',
    to: 'news +=',
    tests: test('live/feed'),
  },
  {
    what: 'events of another thread that came twice are kept twice',
    file: 'web/src/record/packets.ts',
    from: '      if (endOf(packet) <= next) return;\n',
    to: '',
    tests: kPackets,
  },
  {
    what: 'what is kept begins with a packet, not with a snapshot',
    file: 'web/src/record/packets.ts',
    from: '        base = packet.snapshot;\n',
    to: '        base = packet.from;\n',
    tests: kPackets,
  },
  {
    what: 'a live trace begins anew at its bound although its snapshot alone fills it',
    file: 'web/src/live/feed.ts',
    from: 'Math.max(mostEvents, 2 * keptAtFirst)',
    to: 'mostEvents',
    tests: ['tests/web/live/feed.test.ts'],
  },
];

// The two ends of attach's wire on a MessageChannel, each against what no friend sends: the program's heap and the glass's engine live on.

import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { startFeed } from '../../../web/src/live/feed.ts';
import { remoteRecorder, serveRecorder } from '../../../web/src/live/link.ts';
import { portWire } from '../../../web/src/live/wire.ts';
import type { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../web/src/trace/trace.ts';
import { append, openStream, startProgram } from '../../web/live/live_program.ts';
import { kindOf, type Target } from './target.ts';

const oneOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const turn = () => new Promise((done) => setImmediate(done));
const kNumbers = [
  0,
  1,
  2,
  3,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 32,
  2 ** 53,
  2 ** 53 - 1,
  '1',
  null,
  {},
];
const kMessages = 12;
const kMostSubscriptions = 16; // link.5

function askOf(random: Random): unknown {
  const ask = oneOf(random, [
    'subscribe',
    'subscribe',
    'stop',
    'drain',
    'checkpoint',
    'bye2',
    'constructor',
    '__proto__',
    7,
    undefined,
  ]);
  return {
    ask,
    number: oneOf(random, kNumbers),
    past: oneOf(random, [true, false, 'yes', undefined]),
    [oneOf(random, ['x', '__proto__', 'toString'])]: {},
    from: oneOf(random, [undefined, undefined, ...kNumbers]),
  };
}

function recordsOf(random: Random): unknown {
  const words = new Uint32Array(4 * random.below(12) + (random.below(8) === 0 ? 1 : 0));
  for (let i = 0; i < words.length; ++i)
    words[i] = oneOf(random, [0, 8, 16, 0x10000, 0x10010, 2 ** 31, 2 ** 32 - 1, random.next()]);
  for (let i = 0; i < words.length; i += 4)
    words[i] = headOf(random.below(60) as EventKind, random.below(3), random.below(300));
  return oneOf(random, [words, words, words, words, new Uint8Array(16), [1, 2, 3, 4], undefined]);
}

function answerOf(random: Random): unknown {
  if (random.below(12) === 0) return { ended: oneOf(random, ['over', 7, {}, '\x1b[2J']) };
  const packet = {
    from: oneOf(random, kNumbers),
    records: recordsOf(random),
    repeated: oneOf(random, [undefined, 0, 1, 5, ...kNumbers]),
  };
  return oneOf(random, [
    { packet, number: 1 },
    { packet, number: 1 },
    { packet, number: oneOf(random, kNumbers) },
    { packet: null, number: 1 },
    packet,
  ]);
}

/** A program with its heap answers a stranger. */
async function attackProgram(random: Random): Promise<string> {
  const program = await startProgram('drop');
  const { port1, port2 } = new MessageChannel();
  let open = 0;
  let most = 0;
  const counted = {
    ...program.recorder,
    drain: () => program.recorder.drain(),
    checkpoint: () => program.recorder.checkpoint(),
    subscribe: (...given: Parameters<typeof program.recorder.subscribe>) => {
      most = Math.max(most, ++open);
      const stop = program.recorder.subscribe(...given);
      return () => {
        --open;
        stop();
      };
    },
  };
  const end = serveRecorder(portWire(port1), counted, () => {});
  port2.onmessage = () => {};
  for (let n = 0; n < kMessages; ++n) {
    port2.postMessage(askOf(random));
    program.work(random.below(30));
  }
  if (random.below(10) === 0)
    for (let n = 0; n < 1000; ++n) port2.postMessage({ ask: 'subscribe', number: n, past: false });
  await turn();
  await turn();
  await turn();
  program.work(10);
  end('over');
  port2.close();
  if (most > kMostSubscriptions) throw new Error(`a stranger has ${most} subscriptions`);
  if (open !== 0) throw new Error(`${open} subscriptions are left`);
  return `program, ${Math.min(most, 9)} subscriptions`;
}

/** A glass with its engine listens to a stranger. */
async function attackGlass(random: Random): Promise<string> {
  const engine = await openStream();
  const { port1, port2 } = new MessageChannel();
  const recorder = remoteRecorder(portWire(port1));
  let refused = '';
  let said: unknown;
  recorder.onend = (reason) => {
    said = reason;
  };
  const feed = startFeed({
    recorder,
    send: (records) => append(engine, records),
    failed: (error) => {
      refused = error instanceof Error ? error.message : String(error);
    },
  });
  for (let n = 0; n < kMessages; ++n) {
    port2.postMessage(answerOf(random));
    if (random.below(4) === 0) feed.heed();
  }
  await turn();
  await turn();
  await turn();
  feed.heed();
  feed.stop();
  recorder.close();
  port2.close();
  if (said !== undefined && typeof said !== 'string') throw new Error('the end has no words');
  if (/undefined|not a function|Cannot |Invalid |NaN|call stack/.test(refused))
    throw new Error(`no sentence: ${refused}`);
  const { mismatch, waiting } = engine.open();
  return kindOf(`glass, ${refused || mismatch || waiting || 'taken'}`);
}

export function wireTarget(): Target {
  let uncaught: unknown;
  const note = (error: unknown) => {
    uncaught = error;
  };
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  return {
    async run(seed) {
      uncaught = undefined;
      const random = createRandom(seed);
      const kind = await (seed % 2 === 0 ? attackProgram(random) : attackGlass(random));
      if (uncaught !== undefined) throw new Error('an exception that nobody catches', { cause: uncaught });
      return kind;
    },
    dispose() {
      process.off('uncaughtException', note);
      process.off('unhandledRejection', note);
    },
  };
}

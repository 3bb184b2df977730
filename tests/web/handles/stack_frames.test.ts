import { expect, test } from 'vitest';
import { framesOf } from '../../../web/src/handles/stack_frames.ts';

const kChromium = `    at makeClassHandle (http://127.0.0.1:8000/shapes.js:1:20311)
    at Counter (eval at createNamedFunction (http://127.0.0.1:8000/shapes.js:1:14002), <anonymous>:4:34)
    at wasm://wasm/0001b6e2:wasm-function[12]:0x1a2b
    at http://127.0.0.1:8000/app.wasm:wasm-function[3]:0x9f
    at Level.open (http://127.0.0.1:8000/src/level.ts?t=1732:12:5)
    at async http://127.0.0.1:8000/main.js:3:1
    at new Promise (<anonymous>)
    at Object.<anonymous> (file:///home/a%20b/app.mjs:7:9)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at /srv/app/run.js:2:3`;

const kFirefox = `makeClassHandle@http://127.0.0.1:8000/shapes.js:1:20311
Counter@http://127.0.0.1:8000/shapes.js line 1 > Function:4:34
open@http://127.0.0.1:8000/src/level.ts:12:5
@http://127.0.0.1:8000/main.js:3:1`;

test('frames of Chromium and Node have function, file and line; those of wasm and of the engine are left out', () => {
  expect(framesOf(kChromium, 20).map(({ name, file, line }) => [name, file, line])).toEqual([
    ['makeClassHandle', 'http://127.0.0.1:8000/shapes.js', 1],
    ['Counter', 'http://127.0.0.1:8000/shapes.js', 1],
    ['Level.open', 'http://127.0.0.1:8000/src/level.ts', 12],
    ['', 'http://127.0.0.1:8000/main.js', 3],
    ['', '/home/a b/app.mjs', 7],
    ['', '/srv/app/run.js', 2],
  ]);
});

test('frames of Firefox too', () => {
  expect(framesOf(kFirefox, 20).map(({ name, file, line }) => [name, file, line])).toEqual([
    ['makeClassHandle', 'http://127.0.0.1:8000/shapes.js', 1],
    ['Counter', 'http://127.0.0.1:8000/shapes.js', 1],
    ['open', 'http://127.0.0.1:8000/src/level.ts', 12],
    ['', 'http://127.0.0.1:8000/main.js', 3],
  ]);
});

test('no more frames are read than asked for', () => {
  expect(framesOf(kFirefox, 2).length).toBe(2);
});

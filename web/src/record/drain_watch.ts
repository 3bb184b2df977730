// Drains while a program is busy: a timer waits for it to return to its event loop, which a program that hangs never does.
//
//   this thread    a loop in wasm ... ┌ drains ┐ ... the loop goes on
//   the watch      every 25 ms ───────┘ Runtime.evaluate: an interrupt, which the engine takes at calls and at loops' beginnings
//
//  record.W1  An interrupt may come inside malloc. So a drain reads memory and calls nothing of the program; where its own work is
//             interrupted it does nothing.
//  record.W2  Only Node's main thread can be interrupted in this way. Nothing comes of it where the thread waits for the system, as in
//             execSync, or where there is no inspector.
//  record.W3  The watch keeps no process alive, and does not begin with what was preloaded for the program.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import type { NodeProcess } from './node.ts';

const kEvery = 25; // milliseconds

const kWatch = `
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  const drain = { expression: 'process.heapglassDrains.forEach((drain) => drain())', silent: true };
  let isAnswered = true;
  setInterval(() => {
    if (!isAnswered) return;
    isAnswered = false;
    session.post('Runtime.evaluate', drain, () => (isAnswered = true));
  }, ${kEvery});`;

/** From now on, also while the program is busy. */
export function drainWhileBusy(process: NodeProcess, drain: () => void): void {
  const threads = process.getBuiltinModule('worker_threads');
  if (!threads.isMainThread) return; // record.W2
  if (process.heapglassDrains !== undefined) {
    process.heapglassDrains.push(drain);
    return;
  }
  process.heapglassDrains = [drain];
  const options = { eval: true, execArgv: [], env: {}, stdin: false, stdout: true, stderr: true }; // record.W3
  try {
    const watch = new threads.Worker(kWatch, options);
    watch.on('error', () => {});
    watch.unref();
  } catch {
    // Without it the program is recorded as well.
  }
}

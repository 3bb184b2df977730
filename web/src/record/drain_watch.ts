// Drains while a program is busy: a timer waits for it to return to its event loop, which a program that hangs never does.
//
//   this thread    a loop in wasm ... ┌ drains ┐ ... the loop goes on
//   the watch      every 25 ms ───────┘ Runtime.evaluate: an interrupt, which the engine takes at calls and in loops
//
//  record.W1  An interrupt may come inside malloc. So a drain reads memory and calls nothing of the program; where its own work is
//             interrupted it does nothing.
//  record.W2  Only Node's main thread can be interrupted in this way. Nothing comes of it where the thread waits for the system, as in
//             execSync, or where there is no inspector.
//  record.W3  Nor is a program with threads: what they share is under a lock, the program may hold it or wait for it, and a wait inside a
//             wait corrupts what the engine knows of its waiters.
//  record.W4  The watch keeps no process alive, and does not begin with what was preloaded for the program.
//  record.W5  Node says "Waiting for the debugger to disconnect..." where an inspector is connected at the end. So the watch is asked to
//             leave (word 0 of what both share), and the process waits until it has (word 1).
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import type { NodeProcess } from './node.ts';

const kEvery = 25; // milliseconds
const kPatience = 200; // milliseconds

const kWatch = `
  const { Session } = require('node:inspector');
  const { workerData: end } = require('node:worker_threads');
  const session = new Session();
  session.connectToMainThread();
  const drain = { expression: 'process.heapglassDrains.forEach((drain) => drain())', silent: true };
  let isAnswered = true;
  const timer = setInterval(() => {
    if (!isAnswered) return;
    isAnswered = false;
    session.post('Runtime.evaluate', drain, () => (isAnswered = true));
  }, ${kEvery});
  const leave = () => {
    clearInterval(timer);
    session.disconnect();
    Atomics.store(end, 1, 1);
    Atomics.notify(end, 1);
  };
  const { async: isLater, value } = Atomics.waitAsync(end, 0, 0);
  if (isLater) value.then(leave);
  else leave();`;

/** From now on, also while the program is busy. */
export function drainWhileBusy(process: NodeProcess, drain: () => void): void {
  const threads = process.getBuiltinModule('worker_threads');
  if (!threads.isMainThread) return; // record.W2
  if (process.heapglassDrains !== undefined) {
    process.heapglassDrains.push(drain);
    return;
  }
  process.heapglassDrains = [drain];
  const end = new Int32Array(new SharedArrayBuffer(8));
  const options = { eval: true, execArgv: [], env: {}, stdin: false, stdout: true, stderr: true, workerData: end }; // record.W4
  try {
    const watch = new threads.Worker(kWatch, options);
    let isThere = true;
    watch.on('error', () => {
      isThere = false;
    });
    watch.unref();
    process.on('exit', () => {
      if (isThere) leaveBefore(end);
    });
  } catch {
    // Without it the program is recorded as well.
  }
}

/** record.W5 */
function leaveBefore(end: Int32Array): void {
  Atomics.store(end, 0, 1);
  Atomics.notify(end, 0);
  Atomics.wait(end, 1, 0, kPatience);
}

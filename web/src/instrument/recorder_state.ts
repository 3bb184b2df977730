// Where the recorder module keeps its state: in globals of its instance, or, with threads, in a memory that all threads' instances share.
//
//   one thread                        threads
//   (global $at (mut i32) ...)        word 12 of the shared memory: at          each thread's instance of the recorder reads the same words
//   enter, leave: nothing             enter, leave: a lock in word 0            and has a few globals of its own: its number, how often it entered
//
//   state.1  The recorder's text is written once; what differs is said here (`get`, `set`).
//   state.2  With threads the shared state is read and written between $enter and $leave only. A thread that entered may enter again.
//   state.3  The lock has three values, 0 free, 1 taken, 2 taken and perhaps waited for (Ulrich Drepper, "Futexes Are Tricky", 2011): only
//            who leaves it at 2 wakes another. A page's main thread must not wait, so it spins.
//   state.4  The memory may be older than the module (loader.ts), so the first thread writes the first values.

import { kShared } from './shared_layout.ts';

type Type = 'i32' | 'i64';

export class RecorderState {
  readonly isShared: boolean;
  /** The program's addresses have 64 bits (wide_text.ts). */
  readonly isWide: boolean;
  readonly #words = new Map<string, { readonly at: number; readonly type: Type }>();
  #next: number = kShared.declared;
  #globals = '';
  #first = '';

  constructor(isShared: boolean, isWide = false) {
    this.isShared = isShared;
    this.isWide = isWide;
    if (!isShared) return;
    for (const name of ['lost', 'first', 'buffer', 'at'] as const) {
      this.#words.set(name, { at: kShared[name], type: 'i32' });
    }
  }

  /** A variable of the recorder; `exported` has an effect where it is a global. */
  declare(name: string, type: Type, value: number | bigint, exported = ''): void {
    if (this.isShared) {
      this.#words.set(name, { at: this.#next, type });
      this.#next += 8;
      this.#first += this.set(name, `(${type}.const ${value})`);
    } else {
      const out = exported === '' ? '' : `(export "${exported}") `;
      this.#globals += `(global $${name} ${out}(mut ${type}) (${type}.const ${value}))\n`;
    }
  }

  get(name: string): string {
    if (!this.isShared) return `(global.get $${name})`;
    const { at, type } = this.#wordOf(name);
    return `(${type}.load (i32.const ${at}))`;
  }

  set(name: string, value: string): string {
    if (!this.isShared) return `(global.set $${name} ${value})`;
    const { at, type } = this.#wordOf(name);
    return `(${type}.store (i32.const ${at}) ${value})`;
  }

  /** To be asked when everything is declared. `first`: what the first thread does. */
  definitions(first = ''): string {
    return this.isShared ? lockText(`${this.#first}\n${first}`) : `${this.#globals}\n(func $enter)\n(func $leave)`;
  }

  #wordOf(name: string) {
    const word = this.#words.get(name);
    if (word === undefined) throw new Error(`the recorder has no variable ${name}`);
    return word;
  }
}

/** With threads: the thread's number, and the lock. $begin_thread is to run when the instance starts. */
const lockText = (first: string): string => `
  (global $thread (export "thread") (mut i32) (i32.const 0))
  (global $entered (export "entered") (mut i32) (i32.const 0))
  (func $begin_thread
    (global.set $thread (i32.add (i32.atomic.rmw.add (i32.const ${kShared.threads}) (i32.const 1)) (i32.const 1)))
    (if (i32.eq (global.get $thread) (i32.const 1)) (then ${first})))
  (func $take_lock
    (if (i32.eqz (i32.atomic.rmw.cmpxchg (i32.const ${kShared.lock}) (i32.const 0) (i32.const 1))) (then (return)))
    (loop $again
      (if (i32.eqz (i32.atomic.rmw.xchg (i32.const ${kShared.lock}) (i32.const 2))) (then (return)))
      (if (global.get $waits)
        (then (drop (memory.atomic.wait32 (i32.const ${kShared.lock}) (i32.const 2) (i64.const -1)))))
      (br $again)))
  (func $enter (export "enter")
    (if (i32.eqz (global.get $entered)) (then (call $take_lock)))
    (global.set $entered (i32.add (global.get $entered) (i32.const 1))))
  (func $leave (export "leave")
    (global.set $entered (i32.sub (global.get $entered) (i32.const 1)))
    (if (global.get $entered) (then (return)))
    (if (i32.eq (i32.atomic.rmw.xchg (i32.const ${kShared.lock}) (i32.const 0)) (i32.const 2))
      (then (drop (memory.atomic.notify (i32.const ${kShared.lock}) (i32.const 1))))))`;

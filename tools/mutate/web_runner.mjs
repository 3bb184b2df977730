// The process that runs the tests (web_tests.mjs), started again after a mutant that did not come to an end.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const kScript = fileURLToPath(new URL('./web_tests.mjs', import.meta.url));
const kLeastMs = 30_000;
const kFactor = 4; // a busy machine
const kLongMs = 20_000;
const kFirstMs = 300_000; // of a file whose time is not known yet

export class TestRunner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  /** @type {string[]} sources that the process does not know to have changed */
  #changed = [];
  /** @type {Map<string, number | undefined>} by test: milliseconds without a mutant; undefined: it fails then */
  #times = new Map();

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  /** The tests that fail without a mutant. */
  get faulty() {
    return [...this.#times].filter(([, time]) => time === undefined).map(([test]) => test);
  }

  /** @param {string} file */
  changed(file) {
    this.#changed.push(file);
  }

  /**
   * Those that pass without a mutant; runs each once.
   * pre: no mutant is planted
   * @param {readonly string[]} tests
   */
  async proven(tests) {
    for (const test of tests) {
      if (this.#times.has(test)) continue;
      const begun = Date.now();
      const outcome = await this.#runOne(test, kFirstMs);
      const time = Date.now() - begun;
      this.#times.set(test, outcome === 'passed' ? time : undefined);
      if (outcome !== 'passed' || time > kLongMs)
        console.log(`${outcome} in ${Math.round(time / 1000)} s without a mutant: ${test}`); // --without leaves it out
    }
    return tests.filter((test) => this.#times.get(test) !== undefined);
  }

  /** @param {readonly string[]} tests proven ones */
  quickestFirst(tests) {
    return [...tests].sort((one, other) => (this.#times.get(one) ?? 0) - (this.#times.get(other) ?? 0));
  }

  /**
   * Runs the tests until one fails.
   * @param {readonly string[]} tests
   * @returns {Promise<{outcome: 'passed' | 'failed' | 'timed out', test?: string}>}
   */
  async run(tests) {
    for (const test of tests) {
      const outcome = await this.#runOne(test, kLeastMs + kFactor * (this.#times.get(test) ?? 0));
      if (outcome !== 'passed') return { outcome, test };
    }
    return { outcome: 'passed' };
  }

  /**
   * @param {string} test
   * @param {number} most milliseconds
   * @returns {Promise<'passed' | 'failed' | 'timed out'>}
   */
  async #runOne(test, most) {
    const running = await this.#started();
    return new Promise((resolve) => {
      /** @param {'passed' | 'failed' | 'timed out'} outcome */
      const end = (outcome) => {
        clearTimeout(timer);
        running.off('message', answered).off('exit', gone);
        if (outcome === 'timed out') this.stop();
        resolve(outcome);
      };
      const timer = setTimeout(() => end('timed out'), most);
      const answered = (/** @type {{passed: boolean}} */ { passed }) => end(passed ? 'passed' : 'failed');
      const gone = () => {
        this.#process = undefined;
        end('failed');
      };
      running.on('message', answered).on('exit', gone);
      running.send({ test, changed: this.#changed });
      this.#changed = [];
    });
  }

  /** @returns {Promise<import('node:child_process').ChildProcess>} */
  #started() {
    if (this.#process !== undefined) return Promise.resolve(this.#process);
    const started = fork(kScript, { cwd: this.folder, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#process = started;
    this.#changed = [];
    return new Promise((resolve, reject) => {
      const failed = (/** @type {number | null} */ code) =>
        reject(new Error(`the process that runs the tests ended with ${code}`));
      started.once('exit', failed);
      started.once('message', () => {
        started.off('exit', failed);
        resolve(started);
      });
    });
  }

  /** With the processes that it made. */
  stop() {
    const pid = this.#process?.pid;
    this.#process = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {} // it has ended
  }
}

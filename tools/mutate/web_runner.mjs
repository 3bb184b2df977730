// The process that runs the tests (web_tests.mjs), started again after a mutant that did not come to an end.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const kScript = fileURLToPath(new URL('./web_tests.mjs', import.meta.url));
const kLeastMs = 30_000;
const kFactor = 4; // a busy machine
const kFirstMs = 60_000; // of a file whose time is not known yet
const kProofMs = 300_000;

export class TestRunner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  /** @type {string[]} sources that the process does not know to have changed */
  #changed = [];
  /** @type {Map<string, number>} by test: milliseconds that it took when it passed */
  #times = new Map();
  /** @type {Map<string, boolean>} by test: whether it passes without a mutant */
  #proven = new Map();

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder;
  }

  /** The tests that fail without a mutant. */
  get faulty() {
    return [...this.#proven].filter(([, passes]) => !passes).map(([test]) => test);
  }

  /** @param {string} file */
  changed(file) {
    this.#changed.push(file);
  }

  /**
   * Whether it passes without a mutant; runs once.
   * pre: no mutant is planted
   * @param {string} test
   */
  async proves(test) {
    const known = this.#proven.get(test);
    if (known !== undefined) return known;
    const passes = (await this.run(test, kProofMs)) === 'passed';
    this.#proven.set(test, passes);
    if (!passes) console.log(`fails without a mutant: ${test}`);
    return passes;
  }

  /** @param {string} test */
  isProven(test) {
    return this.#proven.get(test) === true;
  }

  /** Those of unknown time first. @param {readonly string[]} tests */
  quickestFirst(tests) {
    return [...tests].sort((one, other) => (this.#times.get(one) ?? 0) - (this.#times.get(other) ?? 0));
  }

  /**
   * @param {string} test
   * @param {number} [most] milliseconds
   * @returns {Promise<'passed' | 'failed' | 'timed out'>}
   */
  async run(test, most) {
    const time = this.#times.get(test);
    const begun = Date.now();
    const outcome = await this.#runOne(test, most ?? (time === undefined ? kFirstMs : kLeastMs + kFactor * time));
    if (outcome === 'passed') this.#times.set(test, Date.now() - begun);
    return outcome;
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

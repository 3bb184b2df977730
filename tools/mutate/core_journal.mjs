// What runs found so far, a line for each mutant, so that a stopped run can go on. Lines of other sources stay: --again reads them.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const keyOf = ({ file, line, to }) => `${file}:${line}:${to}`;

export class Journal {
  /** `digest`: of the sources and tests as they are now. */
  constructor(place, digest) {
    this.place = place;
    this.digest = digest;
    const lines = existsSync(place) ? readFileSync(place, 'utf8').split('\n').filter(Boolean) : [];
    this.latest = new Map(lines.map((line) => JSON.parse(line)).map((result) => [keyOf(result), result]));
  }

  /** The result for the same sources. */
  find(mutant) {
    const result = this.latest.get(keyOf(mutant));
    return result?.digest === this.digest ? result : undefined;
  }

  add(result) {
    appendFileSync(this.place, `${JSON.stringify({ ...result, digest: this.digest })}\n`);
  }

  /** What survived last, where the line is still as it was. */
  survivors(tree) {
    const survived = [...this.latest.values()].filter(({ outcome }) => outcome.startsWith('survived'));
    return survived
      .filter(({ file, line, from }) => readFileSync(join(tree, file), 'utf8').split('\n')[line - 1] === from)
      .map(({ file, line, from, to }) => ({ file, line, from, to }));
  }
}

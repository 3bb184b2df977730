// An explanation as it is written: plain parts and deciding ones in turn.

import type { Event } from '../../trace/decode.ts';

export interface TextPart {
  readonly text: string;
  readonly strong: boolean;
}

/** An event of the operation that is explained. */
export interface Step {
  readonly event: Event;
  /** All events of the operation, or as many as are read; `event` is the one at index i. */
  readonly events: readonly Event[];
  readonly i: number;
  /** The number of calls around it. */
  readonly depth: number;
}

const kMostParts = 40;

export class Explanation {
  readonly parts: TextPart[] = [];

  get full(): boolean {
    return this.parts.length >= kMostParts;
  }

  /** Plain and deciding parts in turn: say('It has ', '48 B', ' left.') */
  say(...parts: readonly string[]): void {
    parts.forEach((text, i) => {
      const strong = i % 2 === 1;
      const last = this.parts[this.parts.length - 1];
      if (!strong && last !== undefined && !last.strong)
        this.parts[this.parts.length - 1] = { text: last.text + text, strong };
      else if (text !== '') this.parts.push({ text, strong });
    });
  }
}

// A linked program as a source of events: what Module.heapglass asks of it.

import { kRingLayout } from '../../protocol/event_layout.ts';
import { isHandleText } from '../../trace/handle_marks.ts';
import { ringWord } from '../../wasm/ring.ts';
import type { Source } from '../source.ts';
import { memoryBytes, memoryWords, program } from './program.ts';
import { drain, headNow, type Session, settle } from './session.ts';
import { kModes, readSettings } from './settings.ts';
import { type Place, setStateWord, stateWord } from './take.ts';

const kTextBytes = 240; // of a mark

export function makeLinkedSource(session: Session): Source {
  /** 0 before the first event. */
  const word = (offset: number): number =>
    session.place === undefined ? 0 : ringWord(memoryWords(), session.place.ring, offset);
  const count = (): number => (session.place === undefined ? 0 : headNow(session.place));

  return {
    drain: () => drain(session),
    settle: () => settle(session),
    get version() {
      return word(kRingLayout.version);
    },
    get mode() {
      if (session.place === undefined) return readSettings().mode;
      return word(kRingLayout.mode) === kModes.drop ? 'drop' : 'lossless';
    },
    get count() {
      return count();
    },
    get paused() {
      return session.place !== undefined && word(kRingLayout.enabled) === 0;
    },
    snapshot() {
      if (count() > 0) program.snapshot();
    },
    checkpoint() {
      if (count() > 0) program.checkpoint();
    },
    mark(text) {
      if (count() === 0 || session.place === undefined) return;
      if (isHandleText(text)) keepDefinitions(session.place);
      const at = program.text();
      memoryBytes().set(bytesOfText(text), at);
      program.mark();
    },
    pause() {
      if (session.place !== undefined) program.pause();
    },
    resume() {
      if (session.place !== undefined) program.resume();
    },
    together(what, work) {
      if (!session.isBusy) return work();
      throw new Error(
        `heapglass: a listener runs inside malloc, where ${what} is not possible; do it after the listener has returned`,
      );
    },
  };
}

/** record.K4 goes by the number of the last site that was defined: the number 1 is left out where there is none yet. */
function keepDefinitions(place: Place): void {
  const words = memoryWords();
  if (stateWord(words, place, 'sites') === 0) setStateWord(words, place, 'sites', 1);
}

/** UTF-8 of at most kTextBytes; a letter that is cut goes. */
function bytesOfText(text: string): number[] {
  const bytes = new TextEncoder().encode(String(text));
  let end = Math.min(bytes.length, kTextBytes);
  while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) --end;
  return [...bytes.subarray(0, end), 0];
}

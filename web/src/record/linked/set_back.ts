// checkpoint(Module) and reset(Module) of a program that records itself: state_kept and state_reset in its trace (event.P9).
//
//   kept(n)        state_kept, behind the copy of memory
//   before()       the ring is read empty; the ring's fields and the recorder's words are copied   memory is set back behind it
//   its function   both are written again, then state_reset                                        so numbers of events and of sites go on
//
// Who attached behind the copy, or keeps the last events alone, does not know it, and needs a snapshot behind the reset.
//
// No call of the program runs meanwhile, and there are no threads: --shrink refuses both.

import { kRecorderStateLayout, kRingLayout } from '../../protocol/event_layout.ts';
import { memoryWords, program, type SetBack } from './program.ts';
import { drain, type Session } from './session.ts';

export function makeSetBack(session: Session): SetBack {
  return {
    kept: (number) => void program.kept(number),
    hold: () => hold(session),
    before() {
      const letGo = hold(session);
      const place = session.place;
      const writeRing = place === undefined ? undefined : copyOf(place.ring, kRingLayout.bytes);
      const writeState = place === undefined ? undefined : copyOf(place.state, kRecorderStateLayout.bytes);
      return (number, end) => {
        if (writeRing !== undefined) writeRing();
        if (writeState !== undefined) writeState();
        letGo();
        program.reset(number, end);
        const packets = session.packets;
        if (place !== undefined && (packets.listeners > 0 || typeof packets.keep === 'number'))
          memoryWords()[(place.ring + kRingLayout.snapshotDue) >>> 2] = 1;
      };
    },
  };
}

/** linked.S1: what interrupts the program finds it busy. */
function hold(session: Session): () => void {
  drain(session);
  session.isBusy = true;
  return () => {
    session.isBusy = false;
  };
}

/** The function writes it back. */
function copyOf(address: number, bytes: number): () => void {
  const words = memoryWords().slice(address >>> 2, (address + bytes) >>> 2);
  return () => memoryWords().set(words, address >>> 2);
}

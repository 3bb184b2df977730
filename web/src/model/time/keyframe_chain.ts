// Keyframes that share what did not change: one is whole, those behind it hold only the chunks and nodes that changed since the one
// before. What a keyframe costs goes by the events since the last, not by the size of the heap.
//
//   whole  ◀── changes  ◀── changes  ◀── changes        whole  ◀── changes ...
//
//   changes   | address | address | ...    of the chunk that begins there now, or of the granule where none begins any more
//             | word    | 0       | ...    as heap_state.ts has it; 0: none
//             | born | next | tag | ...    of chunks that are there
//             | node word's address | bits | ...
//
//   H1  restoreKeyframe(state, k) gives the same state whether k is whole or not.
//   H2  A chain ends when what it holds is as much as its whole keyframe, or names kMostChanged chunks, or has kMostLinks: restoring
//       costs at most some four times a whole one, and of large heaps less.
//   H3  What changed is known by granule (frame_table.ts, M10): to take it costs as much as events touched, not as much as there are
//       chunks. A chunk that was touched and is what it was is taken too, and the address of one that came and went. Of nodes the words
//       are compared with a copy. It is good as long as frames keep their numbers; after a restore, and after forget(), the next
//       keyframe is whole.
//   H4  The changes lie in the order of addresses, so that those of a whole chain are restored region by region (keyframe.ts, K3).

import { GrowingUint32 } from '../../base/growing.ts';
import { kFrameNodeWords, kGranuleStep } from '../state/frame_table.ts';
import type { HeapState } from '../state/heap_state.ts';
import { type Changes, captureFacts, captureKeyframe, type Keyframe, keyframeBytes } from '../state/keyframe.ts';

const kMostLinks = 256; // a chain of states that hardly change
const kMostChanged = 1 << 20; // each costs as much as several chunks of a whole keyframe: they lie apart

export class KeyframeChain {
  #last: Keyframe | undefined;
  #links = 0;
  #bytes = 0; // of the changes in this chain
  #changed = 0; // chunks that they name
  /** Granules and words of nodes that were looked at for keyframes of changes, all together (H3). */
  compared = 0;
  /** Of the last keyframe of changes, in this chain or the one before. */
  lastChangesBytes = 0;
  #wholeBytes = 0;
  #nodes = new Uint32Array(0); // H3
  readonly #found = new FoundChanges();

  take(state: HeapState): Keyframe {
    const last = this.#last;
    const isShort = this.#links < kMostLinks && this.#bytes < this.#wholeBytes && this.#changed < kMostChanged;
    const keyframe = last !== undefined && isShort ? this.#takeChanges(state, last) : this.#takeWhole(state);
    state.forgetChanges();
    return keyframe;
  }

  /** H3 */
  forget(): void {
    this.#last = undefined;
    this.#nodes = new Uint32Array(0);
  }

  #takeWhole(state: HeapState): Keyframe {
    const keyframe = captureKeyframe(state);
    this.#nodes = state.nodes.slice(0, state.nodeWordCount);
    this.#last = keyframe;
    this.#links = 0;
    this.#bytes = 0;
    this.#changed = 0;
    this.#wholeBytes = keyframeBytes(keyframe);
    return keyframe;
  }

  #takeChanges(state: HeapState, from: Keyframe): Keyframe {
    if (this.#nodes.length < state.nodeWordCount) this.#nodes = withCapacity(this.#nodes, state.nodeWordCount);
    const changes = this.#changesOf(state);
    const keyframe = { ...captureFacts(state), from, changes };
    this.#last = keyframe;
    this.#links += 1;
    this.lastChangesBytes = keyframeBytes(keyframe);
    this.#bytes += this.lastChangesBytes;
    this.#changed += changes.addresses.length;
    return keyframe;
  }

  #changesOf(state: HeapState): Changes {
    const found = this.#found;
    state.forEachChangedFrame((frame) => {
      this.#takeChunks(state, frame, found);
      if (state.changedNodes[frame] !== 0) this.#compareNodes(state, frame, found);
    });
    return found.take();
  }

  #takeChunks(state: HeapState, frame: number, found: FoundChanges): void {
    const { words } = state;
    const first = frame * state.frameStep;
    for (let bits = state.changed[frame] as number; bits !== 0; bits &= bits - 1) {
      const granule = first + (31 - Math.clz32(bits & -bits)) * kGranuleStep;
      const word = words[granule] as number;
      this.compared += 1;
      found.words.push(word);
      if (word === 0) {
        found.addresses.push(state.granuleBase(granule));
        continue;
      }
      found.addresses.push(state.addressOf(granule));
      found.born.push(words[granule + 1] as number);
      found.next.push(words[granule + 2] as number);
      found.tags.push(words[granule + 3] as number);
    }
  }

  #compareNodes(state: HeapState, frame: number, found: FoundChanges): void {
    for (let index = frame * kFrameNodeWords; index < (frame + 1) * kFrameNodeWords; ++index) {
      this.compared += 1;
      const bits = state.nodes[index] as number;
      if (bits === this.#nodes[index]) continue;
      this.#nodes[index] = bits;
      found.nodes.push(state.nodeWordBase(index));
      found.nodes.push(bits);
    }
  }
}

class FoundChanges {
  readonly addresses = new GrowingUint32();
  readonly words = new GrowingUint32();
  readonly born = new GrowingUint32();
  readonly next = new GrowingUint32();
  readonly tags = new GrowingUint32();
  readonly nodes = new GrowingUint32();

  /** What was found, as arrays of their own; nothing is found any more. */
  take(): Changes {
    const changes = {
      addresses: this.addresses.slice(),
      words: this.words.slice(),
      born: this.born.slice(),
      next: this.next.slice(),
      tags: new Uint16Array(this.tags.slice()),
      nodes: this.nodes.slice(),
    };
    for (const column of [this.addresses, this.words, this.born, this.next, this.tags, this.nodes]) column.clear();
    return changes;
  }
}

function withCapacity(from: Uint32Array, count: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(count);
  to.set(from);
  return to;
}

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
//   H3  What changed is found by comparison with a copy of the state's arrays, of the frames that events touched (heap_state.ts, M10):
//       it takes as long as there are events, not chunks. The copy is good as long as frames keep their numbers; after a restore,
//       and after forget(), the next keyframe is whole.

import { GrowingUint32 } from '../../base/growing.ts';
import { type HeapState, kFrameNodeWords, kGranuleStep } from '../state/heap_state.ts';
import { type Changes, captureFacts, captureKeyframe, type Keyframe, keyframeBytes } from '../state/keyframe.ts';

const kMostLinks = 256; // a chain of states that hardly change
const kMostChanged = 1 << 20; // each costs as much as several chunks of a whole keyframe: they lie apart

export class KeyframeChain {
  #last: Keyframe | undefined;
  #links = 0;
  #bytes = 0; // of the changes in this chain
  #changed = 0; // chunks that they name
  /** Granules and words of nodes that were compared for keyframes of changes, all together (H3). */
  compared = 0;
  #wholeBytes = 0;
  #words = new Uint32Array(0); // H3
  #nodes = new Uint32Array(0);

  take(state: HeapState): Keyframe {
    const last = this.#last;
    const isShort = this.#links < kMostLinks && this.#bytes < this.#wholeBytes && this.#changed < kMostChanged;
    const keyframe = last !== undefined && isShort ? this.#takeChanges(state, last) : this.#takeWhole(state);
    state.changedFrames.fill(0, 0, state.frameCount);
    return keyframe;
  }

  /** H3 */
  forget(): void {
    this.#last = undefined;
    this.#words = new Uint32Array(0);
    this.#nodes = new Uint32Array(0);
  }

  #takeWhole(state: HeapState): Keyframe {
    const keyframe = captureKeyframe(state);
    this.#words = state.words.slice(0, state.wordCount);
    this.#nodes = state.nodes.slice(0, state.nodeWordCount);
    this.#last = keyframe;
    this.#links = 0;
    this.#bytes = 0;
    this.#changed = 0;
    this.#wholeBytes = keyframeBytes(keyframe);
    return keyframe;
  }

  #takeChanges(state: HeapState, from: Keyframe): Keyframe {
    this.#makeRoom(state);
    const changes = this.#changesOf(state);
    const keyframe = { ...captureFacts(state), from, changes };
    this.#last = keyframe;
    this.#links += 1;
    this.#bytes += keyframeBytes(keyframe);
    this.#changed += changes.addresses.length;
    return keyframe;
  }

  #changesOf(state: HeapState): Changes {
    const found = new FoundChanges();
    const { changedFrames, frameCount, frameStep } = state;
    for (let frame = 0; frame < frameCount; ++frame) {
      if (changedFrames[frame] === 0) continue;
      this.#compareChunks(state, frame * frameStep, (frame + 1) * frameStep, found);
      for (let index = frame * kFrameNodeWords; index < (frame + 1) * kFrameNodeWords; ++index) {
        const bits = state.nodes[index] as number;
        if (bits === this.#nodes[index]) continue;
        this.#nodes[index] = bits;
        found.nodes.push(state.nodeWordBase(index));
        found.nodes.push(bits);
      }
      this.compared += frameStep / kGranuleStep + kFrameNodeWords;
    }
    return found.take();
  }

  #compareChunks(state: HeapState, first: number, end: number, found: FoundChanges): void {
    const { words } = state;
    const before = this.#words;
    for (let granule = first; granule < end; granule += kGranuleStep) {
      const word = words[granule] as number;
      if (word === 0) {
        if (before[granule] === 0) continue;
        before[granule] = 0;
        found.addresses.push(state.granuleBase(granule));
        found.words.push(0);
        continue;
      }
      let isSame = true;
      for (let at = granule; at < granule + kGranuleStep; ++at) {
        if (words[at] === before[at]) continue;
        before[at] = words[at] as number;
        isSame = false;
      }
      if (isSame) continue;
      found.addresses.push(state.addressOf(granule));
      found.words.push(word);
      found.born.push(state.born[granule] as number);
      found.next.push(state.next[granule] as number);
      found.tags.push(state.tag[granule] as number);
    }
  }

  #makeRoom(state: HeapState): void {
    if (this.#words.length < state.wordCount) this.#words = withRoom(this.#words, new Uint32Array(state.wordCount));
    if (this.#nodes.length < state.nodeWordCount)
      this.#nodes = withRoom(this.#nodes, new Uint32Array(state.nodeWordCount));
  }
}

class FoundChanges {
  readonly addresses = new GrowingUint32();
  readonly words = new GrowingUint32();
  readonly born = new GrowingUint32();
  readonly next = new GrowingUint32();
  readonly tags = new GrowingUint32();
  readonly nodes = new GrowingUint32();

  take(): Changes {
    return {
      addresses: this.addresses.slice(),
      words: this.words.slice(),
      born: this.born.slice(),
      next: this.next.slice(),
      tags: Uint16Array.from(this.tags.slice()),
      nodes: this.nodes.slice(),
    };
  }
}

function withRoom<T extends Uint32Array>(from: Uint32Array, to: T): T {
  to.set(from);
  return to;
}

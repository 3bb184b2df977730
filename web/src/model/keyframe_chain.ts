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
//   H2  A chain ends when what it holds is as much as its whole keyframe, or has kMostLinks: restoring costs at most some twice a whole one.
//   H3  What changed is found by comparison with a copy of the state's arrays. The copy is good as long as frames keep their numbers;
//       after a restore, and after forget(), the next keyframe is whole.

import { GrowingUint32 } from '../base/growing.ts';
import type { HeapState } from './heap_state.ts';
import { type Changes, captureFacts, captureKeyframe, type Keyframe, keyframeBytes } from './keyframe.ts';

const kMostLinks = 256; // a chain of states that hardly change

export class KeyframeChain {
  #last: Keyframe | undefined;
  #links = 0;
  #bytes = 0; // of the changes in this chain
  #wholeBytes = 0;
  #chunks = new Uint32Array(0); // H3
  #born = new Uint32Array(0);
  #next = new Uint32Array(0);
  #tag = new Uint16Array(0);
  #nodes = new Uint32Array(0);

  take(state: HeapState): Keyframe {
    const last = this.#last;
    const goesOn = last !== undefined && this.#links < kMostLinks && this.#bytes < this.#wholeBytes;
    return goesOn ? this.#takeChanges(state, last) : this.#takeWhole(state);
  }

  /** H3 */
  forget(): void {
    this.#last = undefined;
    this.#chunks = new Uint32Array(0);
    this.#born = new Uint32Array(0);
    this.#next = new Uint32Array(0);
    this.#tag = new Uint16Array(0);
    this.#nodes = new Uint32Array(0);
  }

  #takeWhole(state: HeapState): Keyframe {
    const keyframe = captureKeyframe(state);
    const granules = state.granuleCount;
    this.#chunks = state.chunks.slice(0, granules);
    this.#born = state.born.slice(0, granules);
    this.#next = state.next.slice(0, granules);
    this.#tag = state.tag.slice(0, granules);
    this.#nodes = state.nodes.slice(0, state.nodeWordCount);
    this.#last = keyframe;
    this.#links = 0;
    this.#bytes = 0;
    this.#wholeBytes = keyframeBytes(keyframe);
    return keyframe;
  }

  #takeChanges(state: HeapState, from: Keyframe): Keyframe {
    this.#makeRoom(state);
    const changes = { ...this.#changedChunks(state), nodes: this.#changedNodes(state) };
    const keyframe = { ...captureFacts(state), from, changes };
    this.#last = keyframe;
    this.#links += 1;
    this.#bytes += keyframeBytes(keyframe);
    return keyframe;
  }

  #changedChunks(state: HeapState): Omit<Changes, 'nodes'> {
    const { chunks, born, next, tag, granuleCount } = state;
    const columns = [new GrowingUint32(), new GrowingUint32(), new GrowingUint32(), new GrowingUint32()] as const;
    const tags = new GrowingUint32();
    const [addresses, words, births, links] = columns;
    for (let granule = 0; granule < granuleCount; ++granule) {
      const word = chunks[granule] as number;
      const isSame = word === this.#chunks[granule];
      if (word === 0) {
        if (isSame) continue;
        this.#chunks[granule] = 0;
        addresses.push(state.granuleBase(granule));
        words.push(0);
        continue;
      }
      if (isSame && born[granule] === this.#born[granule] && next[granule] === this.#next[granule]) {
        if (tag[granule] === this.#tag[granule]) continue;
      }
      this.#chunks[granule] = word;
      this.#born[granule] = born[granule] as number;
      this.#next[granule] = next[granule] as number;
      this.#tag[granule] = tag[granule] as number;
      addresses.push(state.addressOf(granule));
      words.push(word);
      births.push(born[granule] as number);
      links.push(next[granule] as number);
      tags.push(tag[granule] as number);
    }
    return {
      addresses: addresses.slice(),
      words: words.slice(),
      born: births.slice(),
      next: links.slice(),
      tags: Uint16Array.from(tags.slice()),
    };
  }

  #changedNodes(state: HeapState): Uint32Array {
    const found = new GrowingUint32();
    for (let index = 0; index < state.nodeWordCount; ++index) {
      const bits = state.nodes[index] as number;
      if (bits === this.#nodes[index]) continue;
      this.#nodes[index] = bits;
      found.push(state.nodeWordBase(index));
      found.push(bits);
    }
    return found.slice();
  }

  #makeRoom(state: HeapState): void {
    const granules = state.granuleCount;
    if (this.#chunks.length < granules) {
      this.#chunks = withRoom(this.#chunks, new Uint32Array(granules));
      this.#born = withRoom(this.#born, new Uint32Array(granules));
      this.#next = withRoom(this.#next, new Uint32Array(granules));
      this.#tag = withRoom(this.#tag, new Uint16Array(granules));
    }
    if (this.#nodes.length < state.nodeWordCount)
      this.#nodes = withRoom(this.#nodes, new Uint32Array(state.nodeWordCount));
  }
}

function withRoom<T extends Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

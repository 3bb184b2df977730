// The word index, a C++ program on the heap, driven in pieces so that its heap can be watched between them.

import { assertDefined } from '../base/assert.ts';
import type { WordRow } from '../protocol/messages.ts';
import type { Step } from '../scenarios/scenario.ts';
import type { LiveModule } from '../wasm/live_module.ts';
import type { WordIndexFunctions } from '../wasm/load.ts';

const kPieceBytes = 4096; // some 15,000 events
const kMostPositions = 64;
const kOutcomes = ['ok', 'out of memory', 'the index was not begun', 'an argument is out of range'] as const;
const kRowWords = 3; // word_index_row: position, size, count

export const kWordIndexChapters = ['Reading', 'Giving spare memory back'] as const;

/** The functions of a module that has them. */
function wordFunctions(module: LiveModule): WordIndexFunctions {
  const { functions } = module;
  assertDefined(functions.word_index_begin, 'word_index_begin');
  return functions as typeof functions & WordIndexFunctions;
}

const expectOk = (outcome: number) => {
  if (outcome !== 0) throw new Error(`the word index stopped: ${kOutcomes[outcome] ?? `outcome ${outcome}`}`);
};

/** Indexes the text, piece by piece. */
export function* runWordIndex(module: LiveModule, text: Uint8Array): Generator<Step, void, void> {
  const functions = wordFunctions(module);
  module.call(() => expectOk(functions.word_index_begin()));
  yield { chapter: 0, done: 0 };
  for (let at = 0; at < text.length; at += kPieceBytes) {
    const piece = text.subarray(at, at + kPieceBytes);
    module.call(() => {
      const place = functions.word_index_buffer(piece.length) >>> 0;
      if (place === 0) expectOk(1);
      module.views.views.u8.set(piece, place);
      expectOk(functions.word_index_feed(piece.length));
    });
    yield { chapter: undefined, done: Math.min(at + piece.length, text.length) / text.length };
  }
  yield { chapter: 1, done: 1 };
  module.call(() => expectOk(functions.word_index_finish()));
}

export interface Words {
  /** Different words indexed. */
  readonly total: number;
  readonly rows: readonly WordRow[];
}

export function topWords(module: LiveModule, count: number): Words {
  const functions = wordFunctions(module);
  return module.call(() => {
    const rows = functions.word_index_top(count) >>> 0;
    if (rows === 0) throw new Error('the word index has no memory left for its answer');
    const found = module.views.word(rows);
    const places = module.views.views.u32.slice((rows >>> 2) + 1, (rows >>> 2) + 1 + found * kRowWords);
    const words: WordRow[] = [];
    for (let i = 0; i < places.length; i += kRowWords) {
      const word = textAt(module, functions, places[i] ?? 0, places[i + 1] ?? 0);
      words.push({ word: lowerCased(word), ...placesOf(module, functions, word) });
    }
    return { total: functions.word_index_count() >>> 0, rows: words };
  });
}

export function findWord(module: LiveModule, word: string): Words {
  const functions = wordFunctions(module);
  return module.call(() => {
    const bytes = new TextEncoder().encode(word);
    const found = placesOf(module, functions, bytes);
    const rows = found.count === 0 ? [] : [{ word: lowerCased(bytes), ...found }];
    return { total: functions.word_index_count() >>> 0, rows };
  });
}

function placesOf(module: LiveModule, functions: WordIndexFunctions, word: Uint8Array) {
  const place = functions.word_index_buffer(word.length) >>> 0;
  if (place === 0) throw new Error('the word index has no memory left for a question');
  module.views.views.u8.set(word, place);
  const found = functions.word_index_find(place, word.length) >>> 0;
  if (found === 0) throw new Error('the word index has no memory left for its answer');
  const count = module.views.word(found);
  const first = (found >>> 2) + 1;
  return { count, positions: [...module.views.views.u32.slice(first, first + Math.min(count, kMostPositions))] };
}

function textAt(module: LiveModule, functions: WordIndexFunctions, position: number, size: number): Uint8Array {
  const text = functions.word_index_text() >>> 0;
  return module.views.views.u8.slice(text + position, text + position + size);
}

/** As the index compares: only A to Z have a small form. */
function lowerCased(bytes: Uint8Array): string {
  const small = bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
  return new TextDecoder().decode(small);
}

// The header of a trace file: whether it is one, and what it says before the first event.

import { kTraceVersion } from '../protocol/event_layout.ts';
import { crc32OfWords } from './crc32.ts';
import {
  kHeaderWords,
  kMagic,
  kOldestFileVersion,
  kOldestTraceVersion,
  kTraceFileVersion,
  type TraceNotes,
} from './file_parts.ts';
import { nameOtherFile } from './other_files.ts';

/** Why a file cannot be read, in one sentence; `at` is the byte where that was found. */
export interface TraceFileError {
  readonly problem: 'not_a_trace' | 'other_version' | 'damaged';
  readonly message: string;
  readonly at: number; // byte
}

/** What a trace file says before its first event. */
export interface TraceFileHeader {
  readonly wordSize: 4 | 8;
  readonly traceVersion: number;
  readonly notes: TraceNotes;
}

export const headIsWhole = (words: Uint32Array): boolean => crc32OfWords(words.subarray(0, 7)) === words[7];

/** What is wrong with a file that begins with these words and bytes; undefined when its header is whole. */
export function headerError(words: Uint32Array, rest: Uint8Array): TraceFileError | undefined {
  const [magic0, magic1, traceVersion = 0, fileVersion = 0, wordSize, notesWords = 0, notesCrc] = words;
  if (magic0 !== kMagic[0] || magic1 !== kMagic[1]) {
    const head = Uint8Array.of(...new Uint8Array(words.slice(0, 128).buffer), ...rest);
    const what = nameOtherFile(head);
    return { problem: 'not_a_trace', message: `this is not a heapglass trace: ${what}`, at: 0 };
  }
  if (words.length < kHeaderWords) return damaged('the file was cut inside its header', words.length);
  const traceFits = traceVersion >= kOldestTraceVersion && traceVersion <= kTraceVersion;
  const fileFits = fileVersion >= kOldestFileVersion && fileVersion <= kTraceFileVersion;
  if (!traceFits || !fileFits) {
    const found = `trace version ${traceVersion}, file version ${fileVersion}`;
    const known = `trace versions ${kOldestTraceVersion} to ${kTraceVersion}, file versions ${kOldestFileVersion} to ${kTraceFileVersion}`;
    const message = `the trace was written by another version: it has ${found}; this reader knows ${known}`;
    return { problem: 'other_version', message, at: 8 };
  }
  if (!headIsWhole(words)) return damaged('the header is damaged', 0);
  if (wordSize !== 4 && wordSize !== 8) return damaged(`a word size of ${wordSize} is impossible`, 4);
  const notes = words.subarray(kHeaderWords, kHeaderWords + notesWords);
  if (notes.length < notesWords) return damaged('the file was cut inside its notes', kHeaderWords);
  if (crc32OfWords(notes) !== notesCrc) return damaged('the notes are damaged', kHeaderWords);
  return undefined;
}

/** Notes of other shapes than ours are dropped: they decide nothing. */
export function decodeNotes(words: Uint32Array): TraceNotes {
  try {
    const text = new TextDecoder().decode(words.slice()); // a copy: shared memory cannot be decoded
    const { title, chapters } = JSON.parse(text) as { title?: unknown; chapters?: unknown };
    return {
      ...(typeof title === 'string' ? { title } : {}),
      ...(Array.isArray(chapters) && chapters.every((it) => typeof it === 'string') ? { chapters } : {}),
    };
  } catch {
    return {};
  }
}

export const damaged = (message: string, word: number): TraceFileError => ({
  problem: 'damaged',
  message,
  at: word * 4,
});

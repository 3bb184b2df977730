// Page to engine and back. Every request has one reply with the same id; notes come by themselves.

import type { Addr, Bytes, Seq } from '../base/brand.ts';
import type { Question, ShownAnswer } from './answers.ts';
import type { ExperimentId } from './experiments.ts';
import type { Frame } from './frames.ts';
import type { Colouring, MapViewport } from './map_frames.ts';
import type { PartWants } from './parts.ts';
import type { SceneInfo, SceneStep } from './scenes.ts';
import type { ScriptStep } from './scripts.ts';
import type { LivesFrame, LivesWindow, RangeSitesFrame, TemporariesFrame } from './whole_trace.ts';

/** Where to go before the frame is made. `step` moves from `from` by whole events or outermost operations. */
export type At =
  | { readonly to: 'head' }
  | { readonly to: 'seq'; readonly seq: Seq }
  | { readonly to: 'step'; readonly from: Seq; readonly unit: 'event' | 'operation'; readonly by: number };

/** Everything the page shows comes from one of these; undefined parts are not computed. */
export interface FrameRequest {
  readonly at: At;
  readonly map: MapViewport | undefined;
  readonly colour?: Colouring; // of the map's chunks; undefined: age
  readonly overview?: number; // so many cells
  readonly heap: number; // parts and largest free are of this heap; 0: the first living heap
  readonly parts: PartWants;
  readonly timeline: { readonly from: Seq; readonly to: Seq | 'head'; readonly columns: number } | undefined;
}

/** One call on the live heap, from the operation panel or a scenario. Addresses are mem addresses as the user sees them. */
export type Operation =
  | { readonly op: 'allocate'; readonly size: Bytes }
  | { readonly op: 'allocateAligned'; readonly alignment: Bytes; readonly size: Bytes }
  | { readonly op: 'deallocate'; readonly mem: Addr }
  | { readonly op: 'reallocate'; readonly mem: Addr; readonly size: Bytes }
  | {
      readonly op: 'command';
      readonly flags: number; // CommandFlag bits of event_layout.ts
      readonly objectSize: Bytes;
      readonly limit: number;
      readonly preferred: number;
      readonly reuse: Addr | undefined;
    }
  | { readonly op: 'burstNodes'; readonly count: number; readonly size: Bytes; readonly contiguous: number }
  | { readonly op: 'burstDeallocate'; readonly mems: readonly Addr[] }
  | {
      readonly op: 'poolCreate';
      readonly shape: number; // Shape of event_layout.ts
      readonly nodeSize: Bytes;
      readonly nodesPerBlock: number;
      readonly maxFreeBlocks: number;
      readonly overheadPercent: number;
    }
  | { readonly op: 'poolAllocate'; readonly pool: number; readonly count: number } // pool: id in events
  | { readonly op: 'poolDeallocate'; readonly pool: number; readonly mem: Addr }
  | { readonly op: 'poolTrim'; readonly pool: number }
  /** The small front, acting as thread `thread` (1..). */
  | { readonly op: 'smallAllocate'; readonly thread: number; readonly size: Bytes; readonly count: number }
  | { readonly op: 'smallDeallocate'; readonly thread: number; readonly mem: Addr }
  | { readonly op: 'smallFlush'; readonly thread: number }
  | { readonly op: 'smallSqueeze' }
  /** malloc. thread: who acts from here on, each with a cache of its own; undefined: as before, one at first. */
  | {
      readonly op: 'mallocAllocate';
      readonly thread: number | undefined;
      readonly size: Bytes;
      readonly count: number;
      readonly alignment?: Bytes; // memalign, made by scenarios only
    }
  | { readonly op: 'mallocFree'; readonly thread: number | undefined; readonly mem: Addr }
  | {
      readonly op: 'mallocReallocate';
      readonly thread: number | undefined;
      readonly mem: Addr;
      readonly size: Bytes;
    }
  | { readonly op: 'mallocFlush'; readonly thread: number | undefined }
  | { readonly op: 'mallocTrim' }
  | { readonly op: 'poolDestroy'; readonly pool: number }
  | { readonly op: 'trim'; readonly pad: Bytes }
  /** No call: the program writes a word to an address that it still has, whatever lies there now. */
  | { readonly op: 'write'; readonly at: Addr; readonly word: number };

/** Calls on memory pools, made by scenarios only. A pool is named by the id of its heap, which memoryPoolCreate tells. */
export type MemoryPoolOperation =
  | { readonly op: 'memoryPoolCreate'; readonly fixedSize: Bytes }
  | { readonly op: 'memoryPoolAllocate'; readonly heap: number; readonly size: Bytes }
  | { readonly op: 'memoryPoolDeallocate'; readonly heap: number; readonly mem: Addr }
  | { readonly op: 'memoryPoolAllocateFixed'; readonly heap: number; readonly count: number }
  | { readonly op: 'memoryPoolDeallocateFixed'; readonly heap: number; readonly mem: Addr }
  | { readonly op: 'memoryPoolDestroy'; readonly heap: number };

export interface OperationResult {
  readonly ok: boolean;
  readonly status: number; // Status of event_layout.ts
  readonly statusText: string;
  readonly mems: readonly Addr[]; // addresses got, at most 4096 listed
  readonly received: number; // bytes, objects (command) or nodes
  readonly reused: boolean;
  readonly pool: number | undefined; // made by poolCreate
  readonly heap?: number; // made by memoryPoolCreate
}

/** A program that runs texts of the visitor's: what the page needs to offer it. */
export interface ProgramInfo {
  readonly language: string; // of the texts: 'SQL'
  readonly about: string; // one sentence
  readonly examples: readonly { readonly title: string; readonly text: string }[];
}

/** What a program printed. A cell is undefined where SQL has NULL. */
export type PrintedPart =
  | { readonly kind: 'line' | 'error'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | undefined)[])[];
    };

export interface Printed {
  readonly parts: readonly PrintedPart[];
  /** Lines and rows that were printed and are not among the parts: there is a limit. */
  readonly more: number;
}

export interface ScenarioInfo {
  readonly id: string;
  readonly title: string;
  readonly summary: string; // one sentence
  readonly chapters: readonly string[];
  /** The experiment that this scenario is the watched run of; undefined: it is none. */
  readonly experiment: ExperimentId | undefined;
  /** The scenario is a program that the visitor can go on with. */
  readonly program?: ProgramInfo;
  /** The scenario is a scene: it is read step by step. */
  readonly scene?: SceneInfo;
  /** Why it cannot be run here. */
  readonly unavailable?: string;
}

export interface WordRow {
  readonly word: string;
  readonly count: number;
  readonly positions: readonly number[]; // byte offsets, first 64
}

/** What is looked for among the events. */
export type Wanted =
  | { readonly by: 'address'; readonly address: Addr } // an event about the chunk, block or node there
  | { readonly by: 'size'; readonly size: Bytes; readonly orMore: boolean } // a call or a chunk of so many bytes
  | { readonly by: 'growth' }
  | { readonly by: 'failure' }
  | { readonly by: 'text'; readonly text: string }; // in a mark or in an event's sentence

export interface Found {
  readonly moment: number | undefined; // right after the event
  /** Nothing was found up to here, and there are more events: the search can go on. undefined: there are none. */
  readonly lookedUpTo: number | undefined;
}

export type Request =
  /** Scenarios that can be run. */
  | { readonly type: 'scenarios' }
  /** A fresh module and an empty trace; then the scenario runs in slices, with progress notes. 'by_hand': an empty heap. */
  | {
      readonly type: 'runScenario';
      readonly scenario: string;
      readonly seed: number;
      readonly number?: number | undefined;
    }
  /** Where the run is shown at first (engine/first_moment.ts): answered as soon as it has come there, or has ended. */
  | { readonly type: 'firstMoment' }
  /** As a scenario: the calls that a script made, made again. */
  | { readonly type: 'runScript'; readonly steps: readonly ScriptStep[] }
  /** Where the steps of the scene lie that ran last. */
  | { readonly type: 'sceneSteps' }
  /** The word index over a text, watched while it runs. */
  | { readonly type: 'runWordIndex'; readonly text: ArrayBuffer }
  | { readonly type: 'wordTop'; readonly count: number }
  | { readonly type: 'wordFind'; readonly word: string }
  /** Another text for the program that is open: it runs in slices, with progress notes. */
  | { readonly type: 'runText'; readonly text: string }
  /** Gives up the text under way. */
  | { readonly type: 'stopText' }
  /** What the program printed since its scenario or its last text began. */
  | { readonly type: 'printed' }
  /** A trace file instead of a live module; notes say how far it is. A Blob is never in memory as a whole. */
  | { readonly type: 'openTrace'; readonly name: string; readonly file: ArrayBuffer | Blob }
  /** Gives up the trace that is being opened: nothing is open then. */
  | { readonly type: 'stopOpening' }
  /** An empty trace, whose events come by appendEvents: those of a program that runs elsewhere. Answered by 'opened'. */
  | { readonly type: 'openStream'; readonly name: string }
  /** More events of the open trace, from a heap that lives elsewhere: whole records, 16 bytes each. Answered by 'opened'. */
  | { readonly type: 'appendEvents'; readonly records: ArrayBuffer }
  | { readonly type: 'exportTrace' }
  | { readonly type: 'operate'; readonly heap: number; readonly operation: Operation }
  | { readonly type: 'frame'; readonly frame: FrameRequest }
  /** The next event, or the one before, of those that are wanted. */
  | { readonly type: 'find'; readonly wanted: Wanted; readonly from: Seq; readonly by: 1 | -1 }
  /** Which blocks lived where and how long. */
  | { readonly type: 'lives'; readonly window: LivesWindow }
  /** Which blocks were freed before so many more allocations, in the whole trace. */
  | { readonly type: 'temporaries'; readonly within: number }
  /** What the events from ... to allocated, freed and kept, by function. */
  | { readonly type: 'rangeSites'; readonly from: Seq; readonly to: Seq; readonly libraries: boolean }
  /** Which calls made the block around an address, at a moment. */
  | { readonly type: 'stack'; readonly address: Addr; readonly at: Seq }
  /** One of the standing questions, about the moment `at`. heap 0: all, or where the question is of one, the first. */
  | { readonly type: 'answer'; readonly question: Question; readonly at: Seq; readonly heap: number }
  /** The number that the question carries before it is asked (answers/standing.ts). */
  | { readonly type: 'standing'; readonly question: Question; readonly at: Seq; readonly heap: number }
  /** Walks the real heap now and compares it with the model at the head. */
  | { readonly type: 'verify' };

export type Reply =
  | { readonly type: 'scenarios'; readonly scenarios: readonly ScenarioInfo[] }
  | { readonly type: 'started' }
  | { readonly type: 'firstMoment'; readonly moment: Seq | undefined } // undefined: the run has none
  | { readonly type: 'sceneSteps'; readonly steps: readonly SceneStep[] }
  | { readonly type: 'words'; readonly total: number; readonly rows: readonly WordRow[] }
  | { readonly type: 'stopped' }
  | { readonly type: 'printed'; readonly printed: Printed }
  | { readonly type: 'trace'; readonly file: ArrayBuffer; readonly name: string }
  | { readonly type: 'opened'; readonly events: number; readonly notice: string | undefined }
  | { readonly type: 'operated'; readonly result: OperationResult; readonly head: Seq }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'lives'; readonly lives: LivesFrame }
  | { readonly type: 'temporaries'; readonly temporaries: TemporariesFrame }
  | { readonly type: 'found'; readonly found: Found }
  | { readonly type: 'rangeSites'; readonly range: RangeSitesFrame }
  | { readonly type: 'stack'; readonly stack: readonly string[] } // innermost first; none: not known
  | { readonly type: 'answered'; readonly answer: ShownAnswer }
  | { readonly type: 'standing'; readonly number: string } // '': the trace has no answer
  | { readonly type: 'verified'; readonly at: Seq | undefined; readonly mismatch: string | undefined }
  | { readonly type: 'failed'; readonly message: string };

export interface RequestMessage {
  readonly id: number;
  readonly request: Request;
}
export interface ReplyMessage {
  readonly id: number;
  readonly reply: Reply;
}

/** By themselves: how a run or an opening goes on, and the end of an engine whose module trapped. */
export type Note =
  | {
      readonly type: 'progress';
      readonly head: Seq;
      readonly running: boolean;
      readonly chapter: string | undefined;
      readonly done: number; // 0..1
      readonly message: string | undefined; // set when the run ended early: what went wrong, in words
    }
  /** A trace is being opened: so many bytes of `of` were read. */
  | {
      readonly type: 'opening';
      readonly name: string;
      readonly read: number;
      readonly of: number;
      readonly events: number;
    }
  | { readonly type: 'died'; readonly message: string; readonly lastLines: readonly string[] };
export interface NoteMessage {
  readonly note: Note;
}
export type FromEngine = ReplyMessage | NoteMessage;

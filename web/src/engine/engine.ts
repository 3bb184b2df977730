// The engine of the page: what looks at traces (trace_engine.ts), and what runs: scenarios, programs, calls by hand. It
// knows no DOM and no worker, so that the page's worker, Node and the tests run the very same one.
//
//   request ──▶ handle() ──▶ reply          tick() ──▶ one slice of the run ──▶ note
//
//   E1  One slice runs some ten thousand events and ends; no slice asks a clock, so a run is the same however it is
//       sliced. A step that wrote more than a slice may show is shown by the slices that follow, before the next step. Whoever owns the engine calls tick() until it says that nothing is left, and handles requests between.
//   E2  The real heap is walked and compared at chapter begins, at the end of a run, and whenever the trace has grown by
//       a fifth since the last time: the proof costs a share of the run, not a multiple. By hand: after each operation.
//   E3  A request that cannot be met is answered by 'failed'; nothing is thrown over the wire. A trap ends the module,
//       not the engine: what was traced can still be looked at.

import { assertUnreachable } from '../base/assert.ts';
import { seq } from '../base/brand.ts';
import { poolAround } from '../model/queries/query_lists.ts';
import { chunkContaining } from '../model/state/chunk_at.ts';
import { isSizeClass } from '../model/state/entries.ts';
import { kHoldsBlock, kInUse } from '../model/state/heap_state.ts';
import type { Note, Operation, OperationResult, Reply, Request, ScenarioInfo } from '../protocol/messages.ts';
import type { SceneStep, SceneTold } from '../protocol/scenes.ts';
import { kScenarios } from '../scenarios/index.ts';
import type { Hands, Scenario, Step } from '../scenarios/scenario.ts';
import { scriptScenario } from '../scenarios/script.ts';
import { kSceneScenarios } from '../scenes/index.ts';
import { MarkCode } from '../trace/texts.ts';
import type { WasmSource } from '../wasm/compile_wasm.ts';
import { refused } from '../wasm/heap_calls.ts';
import { ModuleDied, type RingMode } from '../wasm/live_module.ts';
import type { Program } from '../wasm/load.ts';
import { readAvailability } from '../wasm/program_artefacts.ts';
import { experimentHands } from './experiment_hands.ts';
import { lastLines } from './last_lines.ts';
import { type Live, Session } from './session.ts';
import { startLive } from './start_live.ts';
import { markText, stopText, textHands } from './text_hands.ts';
import { TraceEngine } from './trace_engine.ts';
import { findWord, kWordIndexChapters, runWordIndex, topWords, type Words } from './word_index.ts';

const kSliceEvents = 16_384;
const kShownEvents = 4_096; // of a step that wrote many, in one slice
const kVerifyGrowth = 1.2;
const kLargeAlignment = 65_536; // blocks of the small front beyond its classes
const kVerifyAtLeast = 2_000; // events between two walks

const kOffered: readonly Scenario[] = [...kScenarios, ...kSceneScenarios];

export interface EngineOptions {
  /** Gets what the engine says by itself. */
  readonly note: (note: Note) => void;
  readonly scenarios?: readonly Scenario[];
  /** Modules from elsewhere than beside this script. */
  readonly wasm?: Partial<Record<Program, WasmSource>>;
  /** Default lossless: the module calls when its ring is full. */
  readonly ring?: RingMode;
  /** As of TraceEngineOptions. */
  readonly pause?: () => Promise<void>;
}

interface Run {
  readonly steps: Generator<Step, void, void>;
  readonly chapters: readonly string[];
  chapter: string | undefined;
  done: number;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #traces: TraceEngine;
  #run: Run | undefined;
  #sceneSteps: SceneStep[] = [];
  #verifiedHead = 0;
  #died = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { note, pause } = options;
    this.#traces = new TraceEngine({ note, ...(pause === undefined ? {} : { pause }) });
  }

  async handle(request: Request): Promise<Reply> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ModuleDied) this.#bury(error);
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Runs one slice of what is under way. True when there is more to do. */
  tick(): boolean {
    const { session } = this.#traces;
    const run = this.#run;
    if (session === undefined || run === undefined) return false;
    let message: string | undefined;
    try {
      if (!this.#slice(session, run)) this.#finish(session);
    } catch (error) {
      this.#run = undefined;
      message = error instanceof Error ? error.message : String(error);
      if (error instanceof ModuleDied) this.#bury(error);
      else this.#prove(session);
    }
    this.#tellProgress(run, message);
    return this.#run !== undefined;
  }

  async #answer(request: Request): Promise<Reply> {
    switch (request.type) {
      case 'scenarios':
        return { type: 'scenarios', scenarios: await this.#offered() };
      case 'sceneSteps':
        return { type: 'sceneSteps', steps: this.#sceneSteps };
      case 'runText':
        this.#runText(request.text);
        return { type: 'started' };
      case 'stopText':
        this.#stopText();
        return { type: 'stopped' };
      case 'printed':
        return { type: 'printed', printed: this.#live().module.printed.printed };
      case 'runScenario':
        await this.#startScenario(request.scenario, request.seed);
        return { type: 'started' };
      case 'runScript':
        await this.#play(scriptScenario(request.steps), 0);
        return { type: 'started' };
      case 'runWordIndex':
        await this.#startWordIndex(new Uint8Array(request.text));
        return { type: 'started' };
      case 'wordTop':
        return this.#askWords((live) => topWords(live.module, request.count));
      case 'wordFind':
        return this.#askWords((live) => findWord(live.module, request.word));
      case 'operate':
        return this.#operate(request.heap, request.operation);
      case 'openTrace':
      case 'openStream':
        this.#forget(); // nothing that ran goes on under the name of what is opened, even when that cannot be
        return this.#traces.answer(request);
      case 'exportTrace':
        this.#closeTrace();
        return this.#traces.answer(request);
      case 'verify':
        this.#proveIfLive();
        return this.#traces.answer(request);
      case 'stopOpening':
      case 'appendEvents':
      case 'find':
      case 'lives':
      case 'temporaries':
      case 'frame':
        return this.#traces.answer(request);
      default:
        return assertUnreachable(request);
    }
  }

  get #scenarios(): readonly Scenario[] {
    return this.#options.scenarios ?? kOffered;
  }

  /** What can be run, and of programs that are not here why. */
  async #offered(): Promise<readonly ScenarioInfo[]> {
    const wanted = this.#scenarios.some(({ info }) => info.program !== undefined);
    const reasons = wanted ? await readAvailability() : undefined;
    return this.#scenarios.map(({ info, program }) => {
      const reason = program === undefined || program === 'experiments' ? undefined : reasons?.[program];
      return reason ? { ...info, unavailable: reason } : info;
    });
  }

  // ---- beginning ----

  async #startScenario(id: string, seed: number): Promise<void> {
    const scenario = this.#scenarios.find((it) => it.info.id === id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const { title, program: runsTexts } = scenario.info;
    const reason = runsTexts && (await this.#offered()).find((info) => info.id === id)?.unavailable;
    if (reason) throw new Error(`${title}: not here, ${reason}`);
    await this.#play(scenario, seed);
  }

  async #play(scenario: Scenario, seed: number): Promise<void> {
    const { id, title, chapters } = scenario.info;
    const ring = this.#options.ring ?? 'lossless';
    const program = scenario.program ?? 'heap';
    const wasm = this.#options.wasm?.[program];
    this.#begin(id, await Session.start({ title, chapters }, (sink) => startLive(program, ring, sink, wasm)));
    const steps = scenario.run(handsOn(this.#live()), seed);
    this.#run = { steps, chapters, chapter: undefined, done: 0 };
  }

  async #startWordIndex(text: Uint8Array): Promise<void> {
    const ring = this.#options.ring ?? 'lossless';
    const notes = { title: 'Word index', chapters: kWordIndexChapters };
    const wasm = this.#options.wasm?.word_index;
    this.#begin('word_index', await Session.start(notes, (sink) => startLive('word_index', ring, sink, wasm)));
    const steps = runWordIndex(this.#live().module, text);
    this.#run = { steps, chapters: kWordIndexChapters, chapter: undefined, done: 0 };
  }

  /** Another text for the program that is open; what the one before printed is forgotten. */
  #runText(text: string): void {
    const { module } = this.#live();
    if (module.functions.program_begin === undefined) throw new Error('no program that runs texts is open');
    if (this.#run !== undefined) throw new Error('the program is still running');
    module.printed.clear();
    markText(module, text);
    this.#run = { steps: stepsOf(textHands(module).run(text)), chapters: [], chapter: undefined, done: 0 };
  }

  #stopText(): void {
    const session = this.#open();
    const run = this.#run;
    if (run === undefined) return;
    stopText(this.#live().module);
    this.#finish(session);
    this.#tellProgress(run, undefined);
  }

  #begin(name: string, session: Session): void {
    this.#traces.show(name, session);
    this.#forget();
  }

  /** Of the run before. */
  #forget(): void {
    this.#run = undefined;
    this.#sceneSteps = [];
    this.#verifiedHead = 0;
    this.#died = false;
  }

  // ---- running ----

  /** False when the run has ended. */
  #slice(session: Session, run: Run): boolean {
    const end = session.head + kSliceEvents;
    while (session.head < end) {
      if (session.behind) {
        session.update(kShownEvents);
        if (session.mismatch !== undefined) throw new Error(session.mismatch);
        if (session.behind) return true;
        break;
      }
      const step = run.steps.next();
      session.update(kSliceEvents);
      if (session.mismatch !== undefined) throw new Error(session.mismatch);
      if (step.done) return false;
      run.done = step.value.done;
      if (step.value.told !== undefined) this.#endSceneStep(session, step.value.told);
      if (step.value.rest) break;
      if (step.value.chapter === undefined) continue;
      const { chapter } = step.value;
      run.chapter = run.chapters[chapter];
      this.#live().module.call((functions) => functions.hg_trace_mark(0, MarkCode.chapter, chapter, 0, 0));
      this.#prove(session);
      this.#beginSceneStep(session);
      return true;
    }
    const due = Math.max(this.#verifiedHead * kVerifyGrowth, this.#verifiedHead + kVerifyAtLeast);
    if (session.head > due && !session.behind) this.#prove(session);
    return true;
  }

  /** SC1: right after the mark of a chapter. */
  #beginSceneStep(session: Session): void {
    const from = seq(session.model.trace.count);
    this.#sceneSteps.push({ from, to: from });
  }

  #endSceneStep(session: Session, told: SceneTold): void {
    const step = this.#sceneSteps.pop();
    if (step !== undefined) this.#sceneSteps.push({ ...step, ...told, to: seq(session.model.trace.count) });
  }

  #finish(session: Session): void {
    this.#run = undefined;
    this.#writeCheckpoints(session);
    this.#prove(session);
  }

  #prove(session: Session): void {
    session.verify();
    this.#verifiedHead = session.head;
  }

  /** So that the trace proves itself when it is opened elsewhere. */
  #writeCheckpoints(session: Session): void {
    const { live } = session;
    if (live === undefined || live.module.death !== undefined) return;
    for (const { address } of session.livingHeaps) {
      live.module.call((functions) => functions.hg_trace_checkpoint(address));
    }
    session.update();
  }

  #tellProgress(run: Run | undefined, message: string | undefined): void {
    this.#options.note({
      type: 'progress',
      head: this.#open().head,
      running: this.#run !== undefined,
      chapter: run?.chapter,
      done: message === undefined && this.#run === undefined ? 1 : (run?.done ?? 1),
      message,
    });
  }

  /** The module trapped: what it wrote until then stays. */
  #bury(death: ModuleDied): void {
    this.#run = undefined;
    const { session } = this.#traces;
    if (session === undefined || this.#died) return;
    this.#died = true;
    session.update();
    this.#options.note({ type: 'died', message: death.message, lastLines: lastLines(session.model.trace) });
  }

  // ---- asking ----

  #open(): Session {
    return this.#traces.open();
  }

  #live(): Live {
    const { live } = this.#open();
    if (live === undefined) throw new Error('this is a trace without its heap: it can be looked at, not changed');
    return live;
  }

  #operate(heap: number, operation: Operation): Reply {
    const live = this.#live();
    const session = this.#open();
    if (this.#run !== undefined) throw new Error('the run is still under way');
    const wrong = misuse(session, live, heap, operation);
    const result: OperationResult = wrong === undefined ? live.calls.operate(heap, operation) : refused(wrong);
    this.#prove(session);
    return { type: 'operated', result, head: session.head };
  }

  #askWords(ask: (live: Live) => Words): Reply {
    const live = this.#live();
    if (live.module.functions.word_index_begin === undefined) throw new Error('no word index is open');
    if (this.#run !== undefined) throw new Error('the word index is still reading');
    const words = ask(live); // the answer is built on the heap too
    this.#prove(this.#open());
    this.#tellProgress(undefined, undefined);
    return { type: 'words', ...words };
  }

  /** A trace that is saved between two runs ends with its proof. */
  #closeTrace(): void {
    const session = this.#open();
    const { checkpoints } = session.model.history;
    if (this.#run === undefined && checkpoints.last() !== session.head - 1) this.#writeCheckpoints(session);
  }

  #proveIfLive(): void {
    const session = this.#open();
    if (session.live !== undefined && session.live.module.death === undefined) this.#prove(session);
  }
}

/** What a scenario can do, over a live module. */
function handsOn({ calls, module }: Live): Hands {
  let chosen = 0;
  return {
    experiments: module.functions.experiment_begin === undefined ? undefined : experimentHands(module),
    texts: module.functions.program_begin === undefined ? undefined : textHands(module),
    operate: (operation) => calls.operate(chosen, operation),
    createHeap: () => calls.createHeap(),
    createFixedHeap: (size) => calls.createFixedHeap(size),
    chooseHeap: (heap) => {
      chosen = heap;
    },
    destroyHeap: (heap) => {
      if (chosen === heap) chosen = 0;
      calls.destroyHeap(heap);
    },
  };
}

function* stepsOf(shares: Generator<number, void, void>): Generator<Step, void, void> {
  for (const done of shares) yield { chapter: undefined, done, rest: true };
}

/** What an operation by hand would break, asked of the model: the trace variant itself does not check. */
function misuse(session: Session, live: Live, heapId: number, operation: Operation): string | undefined {
  const { state } = session.model.head;
  const heap = heapId === 0 ? live.calls.heaps[0] : heapId;
  const isBlock = (mem: number): boolean => {
    const chunk = mem - state.wordSize;
    const flags = (state.chunks[state.granuleAt(chunk)] ?? 0) & (kInUse | kHoldsBlock);
    return (
      flags === kInUse &&
      !state.isCached(state.granuleAt(chunk)) &&
      chunkContaining(state, chunk) === chunk &&
      state.segmentAt(chunk)?.heap === heap
    );
  };
  const mems = 'mems' in operation ? operation.mems : 'mem' in operation ? [operation.mem] : [];
  const reuse = operation.op === 'command' && operation.reuse !== undefined ? [operation.reuse] : [];
  if (operation.op === 'poolDeallocate') {
    const inUse = state.nodeInUse(operation.mem);
    return inUse ? undefined : `no node in use begins at ${operation.mem}`;
  }
  const thread = 'thread' in operation ? operation.thread : undefined;
  if (thread !== undefined && !(Number.isInteger(thread) && thread >= 1)) return `there is no thread ${thread}`;
  if (operation.op === 'smallDeallocate') {
    const { mem } = operation;
    const pool = poolAround(state, mem);
    const small = pool !== undefined && isSizeClass(pool) && state.nodeInUse(mem);
    const large = mem % kLargeAlignment === 0 && isBlock(mem);
    return small || large || mem === 0 ? undefined : `no block in use of the small front begins at ${mem}`;
  }
  const wrong = [...mems, ...reuse].find((mem) => mem !== 0 && !isBlock(mem));
  if (wrong !== undefined) return `no block in use of this heap begins at ${wrong}`;
  return new Set(mems).size < mems.length ? 'a block is named twice' : undefined;
}

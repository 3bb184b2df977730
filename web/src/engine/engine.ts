// The engine of the page: what looks at traces (trace_engine.ts), and what runs: scenarios, programs, calls by hand. It
// knows no DOM and no worker, so that the page's worker, Node and the tests run the very same one.
//
//   request ──▶ handle() ──▶ reply          tick() ──▶ one slice of the run ──▶ note
//
//   E1  Whoever owns the engine calls tick() until it says that nothing is left, and handles requests between (running.ts, RU1).
//   E2  What was changed by hand is proved after each operation, a run as it goes (RU2).
//   E3  A request that cannot be met is answered by 'failed'; nothing is thrown over the wire. A trap ends the module,
//       not the engine: what was traced can still be looked at.

import { assertUnreachable } from '../base/assert.ts';
import { type Seq, seq } from '../base/brand.ts';
import type { Note, Operation, OperationResult, Reply, Request } from '../protocol/messages.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { scriptScenario } from '../scenarios/script.ts';
import { refused } from '../wasm/heap_calls.ts';
import { ModuleDied } from '../wasm/live_module.ts';
import { type Beginning, beginScenario, beginWordIndex, type Choice, type ModuleOptions } from './begin_session.ts';
import { FirstMoment } from './first_moment.ts';
import { stepsOf } from './heap_operations.ts';
import { lastLines } from './last_lines.ts';
import { misuse } from './misuse.ts';
import { type Run, Running, writeCheckpoints } from './running.ts';
import { type Catalog, createCatalog, kScenarioCatalog } from './scenario_catalog.ts';
import type { Live, Session } from './session.ts';
import { markText, stopText, textOperations } from './text_operations.ts';
import { TraceEngine } from './trace_engine.ts';
import { makeFrame } from './whole_frame.ts';
import { WholeQuestions } from './whole_questions.ts';
import { findWord, topWords, type Words } from './word_index.ts';

export interface EngineOptions extends ModuleOptions {
  /** Gets what the engine says by itself. */
  readonly note: (note: Note) => void;
  readonly scenarios?: readonly Scenario[];
  /** As of TraceEngineOptions. */
  readonly pause?: () => Promise<void>;
}

/** The first moment of what runs, which somebody waits for. */
interface Seeking {
  readonly look: FirstMoment;
  found(moment: Seq | undefined): void;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #traces: TraceEngine;
  readonly #catalog: Catalog;
  readonly #running = new Running();
  #died = false;
  #seeking: Seeking | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#catalog = createCatalog(options.scenarios ?? kScenarioCatalog);
    this.#traces = new TraceEngine({ ...options, frame: makeFrame, whole: new WholeQuestions() });
  }

  async handle(request: Request): Promise<Reply> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ModuleDied) this.#markDead(error);
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Runs one slice of what is under way. True when there is more to do. */
  tick(): boolean {
    const { session } = this.#traces;
    const { run } = this.#running;
    if (session === undefined || run === undefined) return false;
    let message: string | undefined;
    try {
      this.#running.tick(session, run);
    } catch (error) {
      this.#running.run = undefined;
      message = error instanceof Error ? error.message : String(error);
      if (error instanceof ModuleDied) this.#markDead(error);
      else this.#running.prove(session);
    }
    this.#notifyProgress(run, message);
    this.#seek();
    return this.#running.run !== undefined;
  }

  async #answer(request: Request): Promise<Reply> {
    switch (request.type) {
      case 'scenarios':
        return { type: 'scenarios', scenarios: await this.#catalog.list() };
      case 'sceneSteps':
        return { type: 'sceneSteps', steps: this.#running.sceneSteps };
      case 'runText':
        this.#runText(request.text);
        return { type: 'started' };
      case 'stopText':
        this.#stopText();
        return { type: 'stopped' };
      case 'printed':
        return { type: 'printed', printed: this.#live().module.printed.printed };
      case 'runScenario':
        await this.#play(await this.#catalog.find(request.scenario), request);
        return { type: 'started' };
      case 'firstMoment':
        return { type: 'firstMoment', moment: await this.#firstMoment() };
      case 'runScript':
        await this.#play(scriptScenario(request.steps), { seed: 0 });
        return { type: 'started' };
      case 'runWordIndex':
        this.#begin(await beginWordIndex(new Uint8Array(request.text), this.#options));
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
      case 'rangeSites':
      case 'stack':
      case 'answer':
      case 'standing':
      case 'frame':
        return this.#traces.answer(request);
      default:
        return assertUnreachable(request);
    }
  }

  // ---- beginning ----

  async #play(scenario: Scenario, choice: Choice): Promise<void> {
    this.#begin(await beginScenario(scenario, choice, this.#options));
  }

  #begin({ name, session, chapters, steps }: Beginning): void {
    this.#traces.show(name, session);
    this.#forget();
    this.#running.begin(steps(this.#live()), chapters);
  }

  /** Another text for the program that is open; what the one before printed is forgotten. */
  #runText(text: string): void {
    const { module } = this.#live();
    if (module.functions.program_begin === undefined) throw new Error('no program that runs texts is open');
    if (this.#running.run !== undefined) throw new Error('the program is still running');
    module.printed.clear();
    markText(module, text);
    this.#running.begin(stepsOf(textOperations(module).run(text)), []);
  }

  #stopText(): void {
    const session = this.#open();
    const { run } = this.#running;
    if (run === undefined) return;
    stopText(this.#live().module);
    this.#running.finish(session);
    this.#notifyProgress(run, undefined);
  }

  #firstMoment(): Promise<Seq | undefined> {
    this.#seeking?.found(undefined);
    return new Promise((found) => {
      this.#seeking = { look: new FirstMoment(), found };
      this.#seek();
    });
  }

  #seek(): void {
    const { session } = this.#traces;
    if (this.#seeking === undefined || session === undefined) return;
    const isRunning = this.#running.run !== undefined;
    const moment = this.#seeking.look.next(session, isRunning);
    if (moment === undefined && isRunning) return;
    this.#seeking.found(moment === undefined ? undefined : seq(moment));
    this.#seeking = undefined;
  }

  /** Of the run before. */
  #forget(): void {
    this.#seeking?.found(undefined);
    this.#seeking = undefined;
    this.#running.forget();
    this.#died = false;
  }

  #notifyProgress(run: Run | undefined, message: string | undefined): void {
    const isOn = this.#running.run !== undefined;
    this.#options.note({
      type: 'progress',
      head: this.#open().head,
      running: isOn,
      chapter: run?.chapter,
      done: message === undefined && !isOn ? 1 : (run?.done ?? 1),
      message,
    });
  }

  /** The module trapped: what it wrote until then stays. */
  #markDead(death: ModuleDied): void {
    this.#running.run = undefined;
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
    if (this.#running.run !== undefined) throw new Error('the run is still under way');
    const wrong = misuse(session, live, heap, operation);
    const result: OperationResult = wrong === undefined ? live.calls.operate(heap, operation) : refused(wrong);
    this.#running.prove(session);
    return { type: 'operated', result, head: session.head };
  }

  #askWords(ask: (live: Live) => Words): Reply {
    const live = this.#live();
    if (live.module.functions.word_index_begin === undefined) throw new Error('no word index is open');
    if (this.#running.run !== undefined) throw new Error('the word index is still reading');
    const words = ask(live); // the answer is built on the heap too
    this.#running.prove(this.#open());
    this.#notifyProgress(undefined, undefined);
    return { type: 'words', ...words };
  }

  /** A trace that is saved between two runs ends with its proof. */
  #closeTrace(): void {
    const session = this.#open();
    const { checkpoints } = session.model.history;
    if (this.#running.run === undefined && checkpoints.last() !== session.head - 1) writeCheckpoints(session);
  }

  #proveIfLive(): void {
    const session = this.#open();
    if (session.live !== undefined && session.live.module.death === undefined) this.#running.prove(session);
  }
}

// How what runs begins: a module of its own with its session, and the steps that the run will take.

import type { Scenario, Step } from '../scenarios/scenario.ts';
import type { WasmSource } from '../wasm/compile_wasm.ts';
import type { RingMode } from '../wasm/live_module.ts';
import type { Program } from '../wasm/load.ts';
import { operationsOn } from './heap_operations.ts';
import { type Live, Session } from './session.ts';
import { startLive } from './start_live.ts';
import { kWordIndexChapters, runWordIndex } from './word_index.ts';

export interface Beginning {
  readonly name: string;
  readonly session: Session;
  readonly chapters: readonly string[];
  /** On the session's module. */
  steps(live: Live): Generator<Step, void, void>;
}

export interface ModuleOptions {
  /** Modules from elsewhere than beside this script. */
  readonly wasm?: Partial<Record<Program, WasmSource>>;
  /** Default lossless: the module calls when its ring is full. */
  readonly ring?: RingMode;
}

/** What makes a run of a scenario this one. */
export interface Choice {
  readonly seed: number;
  /** Of a scene that has one to change; undefined: its first. */
  readonly number?: number | undefined;
}

export async function beginScenario(
  scenario: Scenario,
  { seed, number }: Choice,
  { wasm, ring = 'lossless' }: ModuleOptions,
): Promise<Beginning> {
  const { id: name, title, chapters } = scenario.info;
  const program = scenario.program ?? 'heap';
  const session = await Session.start({ title, chapters }, (sink) => startLive(program, ring, sink, wasm?.[program]));
  return { name, session, chapters, steps: (live) => scenario.run(operationsOn(live), seed, number) };
}

export async function beginWordIndex(text: Uint8Array, { wasm, ring = 'lossless' }: ModuleOptions): Promise<Beginning> {
  const [name, chapters] = ['word_index', kWordIndexChapters] as const;
  const session = await Session.start({ title: 'Word index', chapters }, (sink) =>
    startLive(name, ring, sink, wasm?.[name]),
  );
  return { name, session, chapters, steps: ({ module }) => runWordIndex(module, text) };
}

// An engine run to its end, and its replies with their types narrowed.

import { addr, bytes } from '../../../web/src/base/brand.ts';
import { Engine, type EngineOptions } from '../../../web/src/engine/engine.ts';
import type { Frame } from '../../../web/src/protocol/frames.ts';
import type { MapViewport } from '../../../web/src/protocol/map_frames.ts';
import type { FrameRequest, Note, Operation, Reply, Request } from '../../../web/src/protocol/messages.ts';
import type { Scenario } from '../../../web/src/scenarios/scenario.ts';
import { kNothing } from './no_frame_parts.ts';

export { kNothing, partsIn, wanting } from './no_frame_parts.ts';

export function makeEngine(options: Partial<EngineOptions> = {}) {
  const notes: Note[] = [];
  const engine = new Engine({ note: (note) => notes.push(note), ...options });

  async function ask<T extends Reply['type']>(request: Request, type: T): Promise<Extract<Reply, { type: T }>> {
    const reply = await engine.handle(request);
    if (reply.type === 'failed' && type !== 'failed') throw new Error(reply.message);
    if (reply.type !== type) throw new Error(`a reply of type ${reply.type}`);
    return reply as Extract<Reply, { type: T }>;
  }
  return {
    engine,
    notes,
    ask,
    /** Runs a scenario to its end. */
    async run(scenario: string, seed = 1, number?: number): Promise<void> {
      await ask({ type: 'runScenario', scenario, seed, number }, 'started');
      while (engine.tick());
    },
    async frame(request: Partial<FrameRequest> = {}): Promise<Frame> {
      return (await ask({ type: 'frame', frame: { ...kNothing, ...request } }, 'frame')).frame;
    },
    async operate(operation: Operation, heap = 0) {
      return (await ask({ type: 'operate', heap, operation }, 'operated')).result;
    },
    /** The message of a request that must fail. */
    async refused(request: Request): Promise<string> {
      return (await ask(request, 'failed')).message;
    },
  };
}

/** The whole of a heap's memory, 64 KiB a row. */
export const kWholeMap: MapViewport = { origin: addr(0), bytesPerRow: bytes(65_536), rows: 64, columns: 1024 };

/** A scenario of one step. */
export function scenarioOf(id: string, play: Scenario['run']): Scenario {
  return { info: { id, title: id, summary: id, chapters: [], experiment: undefined }, run: play };
}

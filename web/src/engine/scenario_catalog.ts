// The scenarios that can be run, and of programs that are not here why.

import type { ScenarioInfo } from '../protocol/messages.ts';
import { kScenarios } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { kSceneScenarios } from '../scenes/index.ts';
import { readAvailability } from '../wasm/program_artefacts.ts';

export const kScenarioCatalog: readonly Scenario[] = [...kScenarios, ...kSceneScenarios];

export type Catalog = ReturnType<typeof createCatalog>;

export function createCatalog(scenarios: readonly Scenario[]) {
  let reasons: ReturnType<typeof readAvailability> | undefined;

  /** Read once: the first view waits for it. What failed is tried again. */
  async function reasonsOnce() {
    reasons = reasons ?? readAvailability();
    try {
      return await reasons;
    } catch (error) {
      reasons = undefined;
      throw error;
    }
  }

  async function list(): Promise<readonly ScenarioInfo[]> {
    const wanted = scenarios.some(({ info }) => info.program !== undefined);
    const known = wanted ? await reasonsOnce() : undefined;
    return scenarios.map(({ info, program }) => {
      const reason = program === undefined || program === 'experiments' ? undefined : known?.[program];
      return reason ? { ...info, unavailable: reason } : info;
    });
  }

  return {
    list,
    /** The one with an id; throws a sentence when there is none, or when its program is not here. */
    async find(id: string): Promise<Scenario> {
      const scenario = scenarios.find(({ info }) => info.id === id);
      if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
      const { title, program: runsTexts } = scenario.info;
      const reason = runsTexts && (await list()).find((info) => info.id === id)?.unavailable;
      if (reason) throw new Error(`${title}: not here, ${reason}`);
      return scenario;
    },
  };
}

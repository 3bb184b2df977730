// The experiments of the source documents: run here, beside the documents' figures, and watched on the map.

import { createDisposal } from '../../base/disposal.ts';
import { kDefaultSeed } from '../../moment/state.ts';
import type { ExperimentId } from '../../protocol/experiments.ts';
import type { ScenarioInfo } from '../../protocol/messages.ts';
import type { Now, Panel } from '../panel.ts';
import { createExperimentRuns } from './experiment_runs.ts';
import { createExperiments } from './experiments.ts';

const kId = 'experiments';

export const panel: Panel = {
  id: kId,
  title: 'Experiments',
  high: true,
  place: 'learn',
  runs: true,
  // The watched run of an experiment: its figures are beside it.
  opensWith: ({ info, by }) =>
    by === 'visitor' && info.experiment !== undefined ? { experiment: info.experiment } : undefined,
  create(parent, { store, scenarios, run, changed }) {
    const owned = createDisposal();
    const runs = owned.own(createExperimentRuns(changed));
    const view = createExperiments(parent, {
      choose: (experiment) => store.set({ experiment }),
      run: runs.run,
      stop: runs.stop,
      watch(id) {
        const scenario = scenarios().find((info) => info.experiment === id);
        if (scenario !== undefined) run({ kind: 'scenario', id: scenario.id, seed: kDefaultSeed });
      },
    });
    owned.own(view);
    let listed: readonly ScenarioInfo[] = [];
    let watchable: ReadonlySet<ExperimentId> = new Set();
    return {
      refresh({ state: { tab, experiment, source }, scenarios: infos }: Now) {
        if (infos !== listed) {
          listed = infos;
          watchable = new Set(infos.flatMap((info) => info.experiment ?? []));
        }
        if (tab !== kId) return; // nothing is written while the panel is closed
        const scenario = source.kind === 'scenario' ? infos.find(({ id }) => id === source.id) : undefined;
        const watched = scenario?.experiment;
        view.update({ ...runs.now(), chosen: experiment, threads: crossOriginIsolated, watchable, watched });
      },
      dispose: owned.dispose,
    };
  },
};

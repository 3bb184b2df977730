// The parts of a replay that replay_check.mjs bundles: the code that ships.

export { measureMemory, measureTimes, median, repeatsOf } from '../../../web/src/replay/measure.ts';
export { operationsOfTrace } from '../../../web/src/replay/operations_of_trace.ts';
export { ReplayModule } from '../../../web/src/replay/player.ts';
export { countOperations } from '../../../web/src/replay/program_facts.ts';
export { createRecorder } from '../malloc/random/recorder.ts';

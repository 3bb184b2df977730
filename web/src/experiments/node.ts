// The one script that Node runs: tools/experiments.mjs and the tests.
export { kExperimentIds } from '../protocol/experiments.ts';
export { measure } from './measure.ts';
export { Threads } from './threads.ts';

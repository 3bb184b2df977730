// The engine's thread of <hg-glass>: traces only, so that it carries no wasm module.

import { serve } from './serve.ts';
import { TraceEngine } from './trace_engine.ts';
import { makeFrame } from './whole_frame.ts';
import { WholeQuestions } from './whole_questions.ts';

declare const self: DedicatedWorkerGlobalScope;

serve(self, (note, pause) => new TraceEngine({ note, pause, frame: makeFrame, whole: new WholeQuestions() }));

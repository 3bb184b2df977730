// The engine's thread of the page: traces, scenarios, programs, calls by hand.

import { Engine } from './engine.ts';
import { serve } from './serve.ts';

declare const self: DedicatedWorkerGlobalScope;

serve(self, (note, pause) => new Engine({ note, pause }));

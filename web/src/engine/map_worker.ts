// The engine's thread of <hg-heap-map>: traces only, and of the panels' parts those that its map shows.

import { inspectQuery } from '../panels/chunk/query.ts';
import { listsQuery } from '../panels/lists/query.ts';
import { frameWith } from './frame.ts';
import { serve } from './serve.ts';
import { TraceEngine } from './trace_engine.ts';

declare const self: DedicatedWorkerGlobalScope;

const kParts = [listsQuery, inspectQuery];
serve(self, (note, pause) => new TraceEngine({ note, pause, frame: (...given) => frameWith(kParts, ...given) }));

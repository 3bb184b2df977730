// In a page before the glue: recorders of instrumented modules.

import { recorders } from '../../../package/instrumented.ts';

Object.assign(globalThis, { recordedModules: recorders });

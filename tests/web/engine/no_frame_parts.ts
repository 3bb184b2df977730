// A frame request that asks for nothing but the status: tests and benchmarks add what they look at.

import type { FrameRequest } from '../../../web/src/protocol/messages.ts';

export const kNothing: FrameRequest = {
  at: { to: 'head' },
  map: undefined,
  heap: 0,
  inspect: undefined,
  bin: undefined,
  pool: undefined,
  explain: false,
  caches: false,
  timeline: undefined,
};

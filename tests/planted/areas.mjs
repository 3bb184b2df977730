// All planted faults, by area.

import { kCoreFaults } from './core_faults.mjs';
import { kFaults } from './faults.mjs';
import { kMallocFaults } from './malloc_faults.mjs';
import { kPageFaults } from './page_faults.mjs';
import { kPoolFaults } from './pool_faults.mjs';
import { kTraceFaults } from './trace_faults.mjs';

export const kAreas = {
  model: kFaults,
  core: kCoreFaults,
  page: kPageFaults,
  pool: kPoolFaults,
  malloc: kMallocFaults,
  trace: kTraceFaults,
};

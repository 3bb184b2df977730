// A program that runs texts, driven piece by piece so that its heap can be watched: programs/watched/watched_program.h.

import { assertDefined } from '../base/assert.ts';
import type { TextOperations } from '../scenarios/scenario.ts';
import type { LiveModule } from '../wasm/live_module.ts';
import type { TextFunctions } from '../wasm/load.ts';

const kMore = 1; // PROGRAM_MORE
const kThousandths = 1000;
const kMarkCharacters = 60;

export function textOperations(module: LiveModule): TextOperations {
  assertDefined(module.functions.program_begin, 'program_begin');
  const functions = module.functions as typeof module.functions & TextFunctions;
  return {
    begin() {
      const outcome = module.call(() => functions.program_begin());
      if (outcome !== 0) throw new Error('the program found no memory to begin in');
    },
    *run(text) {
      const bytes = new TextEncoder().encode(text);
      module.call(() => {
        const place = functions.program_text(bytes.length) >>> 0;
        if (place === 0) throw new Error('the program has no memory left for the text');
        module.views.views.u8.set(bytes, place);
      });
      while (module.call(() => functions.program_run()) === kMore) {
        yield module.call(() => functions.program_progress()) / kThousandths;
      }
    },
  };
}

/** Gives up the text that is under way. */
export function stopText(module: LiveModule): void {
  const { program_stop } = module.functions;
  if (program_stop !== undefined) module.call(() => program_stop());
}

/** Puts the beginning of a text onto the time line. */
export function markText(module: LiveModule, text: string): void {
  const characters = [...text.trim().replace(/\s+/g, ' ')];
  const shown = characters.slice(0, kMarkCharacters).join('') + (characters.length > kMarkCharacters ? '…' : '');
  const { scratch } = module;
  module.views.views.u8.set(new TextEncoder().encode(`${shown}\0`), scratch);
  module.call((functions) => functions.hg_mark(scratch));
}

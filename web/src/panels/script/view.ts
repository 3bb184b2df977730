// Scripts as a panel: the text runs in a worker of its own, and the calls that it made are the source that is shown.
//
//   Run ──▶ startScript() ──▶ steps ──▶ run() ──▶ the engine's heap, the map, the time line
//
//   SP4  The source has the text, so that the address has it too. A text that came by the address is shown, not run:
//        nobody's script runs before its reader says so.

import { formatCount } from '../../base/format.ts';
import { type ScriptClient, startScript } from '../../client/script_client.ts';
import { kScriptName } from '../../moment/url.ts';
import type { Panel, PanelPage, Shown } from '../panel.ts';
import { packText, unpackText } from './packed_text.ts';
import { createScript } from './script.ts';

const kId = 'script';

function createScriptPanel(place: Element, page: PanelPage) {
  let known = ''; // packed: the text that the editor has, as far as the address tells
  let running: ScriptClient | undefined;

  const view = createScript(place, {
    run: (text) => void run(text),
    stop: () => running?.stop(),
    rewind: () => page.actions.seek(0),
    async copyLink(text) {
      const { origin, pathname } = location;
      await navigator.clipboard.writeText(`${origin}${pathname}#script=${await packText(text)}`);
    },
  });

  async function run(text: string): Promise<void> {
    view.begin();
    const packed = await packText(text);
    running = startScript(text, { print: view.print });
    const { steps, error } = await running.finished;
    running = undefined;
    const calls = steps.filter((step) => 'operation' in step).length;
    view.end(error, `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'} on the heap.`);
    known = packed;
    page.run({ kind: 'script', name: kScriptName, packed, steps });
  }

  /** SP4 */
  async function take(packed: string): Promise<void> {
    known = packed;
    const text = await unpackText(packed);
    if (known !== packed) return;
    if (text === undefined) view.write('', 'The link is damaged: the script in it cannot be read.');
    else view.write(text, 'This script came with the link. Read it, then press Run.');
  }

  return {
    show({ state }: Shown): void {
      if (state.source.kind === 'script' && state.source.packed !== known) void take(state.source.packed);
      if (state.tab === kId) view.shown();
    },
    dispose(): void {
      running?.stop();
      view.dispose();
    },
  };
}

export const panel: Panel = {
  id: kId,
  title: 'Script',
  high: true,
  place: 'make',
  runs: true,
  ownsAddress: ({ kind }) => kind === 'script',
  create: createScriptPanel,
};

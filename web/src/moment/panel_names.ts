// What the state, its address and the sources know of panels: that each has a name, and that some sources open one.
//
//   pn.1  The first panel is the one that is open where nothing names another; the state then has '' for it. Where it is named, by the
//         visitor or an address, it stays named: a source that opens a panel of its own leaves it open.

import type { ScenarioInfo } from '../protocol/messages.ts';
import type { Source, State } from './state.ts';

export interface PanelName {
  /** As in addresses, tab=sizes, and in its elements' ids. */
  readonly id: string;
  /** What older addresses call it. */
  readonly formerIds?: readonly string[];
  /** An address with such a source opens the panel, and time stands still, unless the address names another. */
  ownsAddress?(source: Source): boolean;
  /** The panel is opened where such a source begins; undefined: it is not. */
  opensWith?(beginning: Beginning): Partial<State> | undefined;
}

/** A source that begins, with what the engine says of it. */
export interface Beginning {
  readonly info: ScenarioInfo;
  /** By a link that names no panel, or because the visitor chose it. */
  readonly by: 'link' | 'visitor';
}

/** What the state becomes where a source begins; nothing: the panel that is open stays. */
export function openedWith(panels: readonly PanelName[], beginning: Beginning): Partial<State> {
  for (const { id, opensWith } of panels) {
    const more = opensWith?.(beginning);
    if (more !== undefined) return { tab: id, ...more };
  }
  return {};
}

/** pn.1 */
export const isOpen = (panels: readonly PanelName[], tab: string, id: string): boolean =>
  (tab === '' ? panels[0]?.id : tab) === id;

// What the groups of calls are built with: buttons that perform a call, and the log of what came back.

import type { Addr } from '../../base/brand.ts';
import { formatAddress } from '../../base/format.ts';
import { make } from '../../dom/dom.ts';
import type { Operation, OperationResult } from '../../protocol/messages.ts';
import { outcomeText } from './outcome_text.ts';

const kMostLines = 8;

/** What the panel gives its groups to build with. */
export interface Controls {
  /** A button that performs what `operation` gives, when it can; `then` sees what came back. */
  act(
    name: string,
    operation: () => Operation | undefined,
    can?: () => boolean,
    then?: (result: OperationResult) => void,
  ): HTMLButtonElement;
  group(name: string, ...rows: readonly HTMLElement[]): HTMLElement;
  row(...children: readonly HTMLElement[]): HTMLElement;
  /** What can be pressed follows from other things than before. */
  refresh(): void;
}

export interface ControlsOptions {
  operate(operation: Operation): Promise<OperationResult>;
  /** Puts what came back into the log. */
  log(text: string, ok: boolean, mem: Addr | undefined): void;
  /** There is a live heap to call. */
  possible(): boolean;
  /** After each call, and when what can be pressed may have changed. */
  changed(): void;
}

export function createControls({ operate, log, possible, changed }: ControlsOptions): Controls {
  /** Buttons with the condition under which they can be pressed. */
  const buttons: { readonly button: HTMLButtonElement; readonly can: () => boolean }[] = [];

  function refresh(): void {
    for (const { button, can } of buttons) button.disabled = !possible() || !can();
    changed();
  }

  async function perform(operation: Operation): Promise<OperationResult | undefined> {
    try {
      const result = await operate(operation);
      log(outcomeText(operation, result), result.ok, result.mems[0]);
      return result;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error), false, undefined);
      return undefined;
    } finally {
      refresh();
    }
  }

  return {
    refresh,
    act(name, operation, can = () => true, then = () => {}) {
      const button = make('button', { type: 'button', class: 'hg-button' }, name);
      button.addEventListener('click', async () => {
        const wanted = operation();
        if (wanted === undefined) return;
        const result = await perform(wanted);
        if (result === undefined) return;
        then(result);
        refresh();
      });
      buttons.push({ button, can });
      return button;
    },
    group: (name, ...rows) =>
      make('fieldset', { class: 'hg-operations__group' }, make('legend', { class: 'hg-heading' }, name), ...rows),
    row: (...children) => make('div', { class: 'hg-operations__row' }, ...children),
  };
}

/** The last lines, newest first, with what each is about as a link into the map. */
export function createLog(select: (address: Addr) => void) {
  const element = make('ol', { class: 'hg-operations__results', 'aria-live': 'polite', 'aria-label': 'Results' });
  const none = make('p', { class: 'hg-note hg-operations__none' }, 'Nothing was called yet. Press Allocate.');
  return {
    element,
    /** In the place of the first line. */
    none,
    say(text: string, ok: boolean, mem: Addr | undefined): void {
      const line = make('li', { class: `hg-operations__result${ok ? '' : ' hg-operations__result--failed'}` }, text);
      if (mem !== undefined) {
        const link = make('button', { type: 'button', class: 'hg-link' }, formatAddress(mem));
        link.addEventListener('click', () => select(mem));
        line.append(' ', link);
      }
      element.prepend(line);
      while (element.childElementCount > kMostLines) element.lastElementChild?.remove();
    },
    forget: () => element.replaceChildren(),
  };
}

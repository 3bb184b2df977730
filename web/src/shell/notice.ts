// The one place where a failure is told: what happened in words, the engine's last lines if it left any, and what the
// visitor can do about it. A newer notice replaces the older.

import { make } from '../dom/dom.ts';
import type { NoticeAction } from '../moment/notices.ts';

export type Notice = ReturnType<typeof createNotice>;

/** `onNotice` receives every message, too. */
export function createNotice(parent: Element, onNotice: (message: string) => void = () => {}) {
  const element = make('div', { class: 'hg-notice', role: 'alert', hidden: true });
  parent.append(element);

  function clear(): void {
    element.hidden = true;
    element.replaceChildren();
  }

  return {
    element,
    show(message: string, lines: readonly string[] = [], action?: NoticeAction): void {
      const buttons = [action, { name: 'Close', press: () => {} }].map((each) => {
        if (each === undefined) return undefined;
        const button = make('button', { type: 'button', class: 'hg-button' }, each.name);
        button.addEventListener('click', () => {
          clear();
          each.press();
        });
        return button;
      });
      element.replaceChildren(make('p', {}, message));
      if (lines.length > 0) element.append(make('pre', { tabindex: 0, 'aria-label': 'Last lines' }, lines.join('\n')));
      element.append(make('div', { class: 'hg-notice__actions' }, ...buttons));
      element.hidden = false;
      onNotice(message);
    },
    clear,
  };
}

// What a test leaves on a page that no address names, and the next test would find there: one_page.ts.

/** Begins with the document: what is written into a field, or chosen there, may be in no address. */
export function noteWriting(): void {
  addEventListener('input', () => document.documentElement.setAttribute('data-written', ''), { capture: true });
}

/** Nothing is stored, open or written that no address names. */
export function isUntouched(): boolean {
  const kOpen = '[data-written], dialog[open], [aria-expanded=true], .hg-notice:not([hidden]), :popover-open';
  const isStored = localStorage.length + sessionStorage.length > 0;
  localStorage.clear();
  sessionStorage.clear();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return !isStored && document.querySelector(kOpen) === null;
}

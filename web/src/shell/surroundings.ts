// What is around the page: a document of its own, or somebody else's page in which it is a guest (<hg-glass>).
//
//   guest.1  A guest's sheets, ids and focus are those of its shadow root; it writes neither title, address nor history.
//   guest.2  A guest keeps nothing in the browser: neither theme nor files.
//   guest.3  Keys are the guest's while the focus is in it, the wheel while it has the focus or with Ctrl.

export interface Surroundings {
  readonly root: Document | ShadowRoot;
  readonly isGuest: boolean;
}

export function surroundingsOf(parent: Element): Surroundings {
  const root = parent.getRootNode();
  return root instanceof ShadowRoot ? { root, isGuest: true } : { root: document, isGuest: false };
}

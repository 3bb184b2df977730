// Whether the visitor is new: then the page says what it is, with doors to the rest of it.

const kStorageKey = 'heapglass.welcomed';

/** A visitor who followed a link to a moment knows what to look at; one who closed the line has read it. */
export function isNew(hash: string): boolean {
  if (hash !== '' && hash !== '#') return false;
  try {
    return localStorage.getItem(kStorageKey) === null;
  } catch {
    return true; // storage refused: the line comes again
  }
}

export function rememberWelcome(): void {
  try {
    localStorage.setItem(kStorageKey, 'yes');
  } catch {
    // As above.
  }
}

// One stack for all that a part of the page makes: whoever makes it owns it, and ends it in one call.
//
//   const owned = createDisposal();
//   const map = owned.own(createMap());          ends with map.dispose()
//   owned.defer(() => stopListening());          ends with the call
//   return { ..., dispose: owned.dispose };
//
//   dp.1  What was made last ends first, so nothing ends before what still uses it. Each ends once.
//   dp.2  Where ending one throws, the others end all the same; the first error is thrown then.

export interface Disposable {
  dispose(): void;
}

export interface Disposal extends Disposable {
  /** The argument itself, which ends with the stack. */
  own<Owned extends Disposable>(owned: Owned): Owned;
  defer(end: () => void): void;
}

export function createDisposal(): Disposal {
  const ends: (() => void)[] = [];
  return {
    own(owned) {
      ends.push(() => owned.dispose());
      return owned;
    },
    defer(end) {
      ends.push(end);
    },
    dispose() {
      const failed: unknown[] = [];
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
        try {
          end();
        } catch (error) {
          failed.push(error);
        }
      }
      if (failed.length > 0) throw failed[0];
    },
  };
}

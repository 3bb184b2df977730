// Loaded before the glue: counts what the engine's registries have cleaned up. A registry that the test made itself would not do as a
// witness: the engine runs the cleanup of each registry as a task of its own, in no order.

let count = 0;
globalThis.FinalizationRegistry = class extends FinalizationRegistry {
  constructor(cleanup) {
    super((held) => {
      cleanup(held);
      count += 1;
    });
  }
};

/** Resolves when the glue has been called for so many objects. `turn`: resolves after the tasks that are there. */
globalThis.collected = async (objects, turn) => {
  while (count < objects) {
    gc();
    await turn();
  }
};

// Loaded into a measured program: its events are taken out of the ring and thrown away, so that only recording costs. With
// HEAPGLASS_KEEP=none as in a page that keeps nothing, where the recorder still knows which blocks live.

const { install } = await import(process.env.HEAPGLASS_INSTALL ?? '');
install({
  onRecorder(
    /** @type {import('../../../web/src/instrument/instrumented_recorder.ts').InstrumentedRecorder} */ recorder,
  ) {
    if (process.env.HEAPGLASS_KEEP === 'none') recorder.keep = 'none';
    else recorder.passOn(() => {});
  },
});

// Loaded into a measured program: its events are taken out of the ring and thrown away, so that only recording costs.

const { install } = await import(process.env.HEAPGLASS_INSTALL ?? '');
install({
  onRecorder(/** @type {{ keep: string }} */ recorder) {
    recorder.keep = 'none';
  },
});

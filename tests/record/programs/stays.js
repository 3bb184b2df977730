// Linked by --pre-js: the process goes on for a while after the program has ended, so the recorder's timer comes once more, and then
// its functions are called.
Module['onExit'] = () => {
  setTimeout(() => {
    Module['heapglass'].drain();
    Module['heapglass'].checkpoint();
    console.log(`${Module['heapglass'].lost} lost`);
  }, 200);
};
// Old Emscriptens end the process at once otherwise.
Module['quit'] = (_status, toThrow) => {
  throw toThrow;
};

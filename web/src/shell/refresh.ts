// A refresh is asked for as often as one likes, and made once before the next picture, or at once.

export type Refresh = ReturnType<typeof createRefresh>;

export function createRefresh() {
  let due = 0; // an animation frame that refreshes
  let show = () => {};

  function now(): void {
    cancelAnimationFrame(due);
    due = 0;
    show();
  }

  return {
    /** What a refresh is. */
    connect(shown: () => void): void {
      show = shown;
    },
    now,
    soon(): void {
      if (due === 0) due = requestAnimationFrame(now);
    },
    isDue: () => due !== 0,
    dispose: () => cancelAnimationFrame(due),
  };
}

// Compiler calls, two at a time.

const kBuildsAtOnce = 2;

/** Calls work(item) for each item; resolves to the results, in the items' order. */
export async function eachAtOnce(items, work) {
  const results = new Array(items.length);
  const queue = [...items.entries()];
  const next = async () => {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      results[entry[0]] = await work(entry[1]);
    }
  };
  await Promise.all(Array.from({ length: kBuildsAtOnce }, next));
  return results;
}

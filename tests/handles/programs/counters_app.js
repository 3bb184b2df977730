// An app with wasm-bindgen: a thousand counters of which ten stay, labels, counters that go back into Rust. A test knows the lines that
// end with a comment.

export function leakCounters({ Counter, label_of, consume }) {
  const kept = [];
  for (let i = 0; i < 1000; ++i) {
    const counter = new Counter(i); // counter
    counter.next();
    const label = label_of('x');
    if (i % 100 === 7) kept.push(counter);
    else if (i % 2 === 0) counter.free();
    else consume(counter);
    label.free();
  }
  return kept;
}

export function leakLabels({ label_of }) {
  return ['one', 'two'].map((text) => label_of(text)); // label
}

export function derive({ Counter }) {
  class Twice extends Counter {}
  return [new Twice(1), new Twice(2)].slice(0, 1); // twice
}

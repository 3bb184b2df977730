// An app with embind: a thousand counters of which ten stay, ten shared shapes of fifty, handles to what C++ keeps, a clone, a class that
// JavaScript derives. A test knows the lines that end with a comment.

export function leakCounters(module) {
  const kept = [];
  for (let i = 0; i < 1000; ++i) {
    const counter = new module.Counter(i); // counter
    counter.next();
    if (i % 100 === 7) kept.push(counter);
    else counter.delete();
  }
  return kept;
}

export function leakShapes(module) {
  const kept = [];
  for (let i = 0; i < 50; ++i) {
    const shape = module.makeShape(i); // shape
    if (i % 5 === 0) kept.push(shape);
    else shape.delete();
  }
  return kept;
}

export function lookAtTree(module) {
  const tree = new module.Tree();
  let sum = 0;
  for (let i = 0; i < 8; ++i) sum += tree.node(i).next(); // the tree's own
  tree.delete();
  const other = new module.Tree(); // tree
  return [sum, other, other.node(3)];
}

export function cloneOne(module) {
  const counter = new module.Counter(0);
  const clone = counter.clone(); // clone
  counter.delete();
  return clone;
}

export function derive(module) {
  const Ear = module.Listener.extend('Listener', { heard: (what) => what + 1 });
  const ears = [new Ear(), new Ear()]; // ear
  ears[0].delete();
  return ears[1];
}

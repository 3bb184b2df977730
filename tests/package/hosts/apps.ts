// What a page does with each of the modules from npm, once it has them: the same by Vite, by Playwright's fixture and by the extension. A line with
// the word leak keeps what it makes: globally, because the handles of some are freed by a FinalizationRegistry as soon as the engine collects
// what only a finished script knew.

const kRows = 2000;

/** By package. What the text begins with, a db, the Resvg, python, cv or kit, is what a page makes of the package before it. */
export const kWork = {
  'sql.js': `db.run('create table t(a, b)');
    const kept = (globalThis.kept = []);
    for (let nth = 0; nth < ${kRows}; ++nth) {
      db.run('insert into t values(?, ?)', [nth, 'x'.repeat(nth % 97)]);
      if (nth % 40 === 0) kept.push(db.prepare('select a + ' + nth + ', b from t')); // leak
    }
    globalThis.found = JSON.stringify(db.exec('select count(*), sum(length(b)) from t'));`,
  '@sqlite.org/sqlite-wasm': `db.exec('create table t(a, b)');
    const kept = (globalThis.kept = []);
    for (let nth = 0; nth < ${kRows}; ++nth) {
      db.exec({ sql: 'insert into t values(?, ?)', bind: [nth, 'x'.repeat(nth % 97)] });
      if (nth % 40 === 0) kept.push(db.prepare('select a + ' + nth + ', b from t')); // leak
    }
    globalThis.found = JSON.stringify(db.selectArray('select count(*), sum(length(b)) from t'));`,
  '@electric-sql/pglite': `await db.exec("create table t as select i, repeat('x', i % 97) b from generate_series(1, ${kRows}) i");
    const query = (text) => {
      const words = new TextEncoder().encode(text + '\\0');
      const message = new Uint8Array(5 + words.length);
      new DataView(message.buffer).setInt32(1, 4 + words.length);
      message.set(words, 5);
      message[0] = 'Q'.charCodeAt();
      return message;
    };
    for (let nth = 0; nth < 1500; ++nth)
      db.execProtocolRawSync(query('prepare kept' + nth + ' as select i + ' + nth + ', b from t')); // leak
    globalThis.found = JSON.stringify((await db.query('select count(*), sum(length(b)) from t')).rows);`,
  '@resvg/resvg-wasm': `const circle = '<circle cx="100" cy="100" r="80" fill="red"/>';
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">' + circle + '</svg>';
    const kept = (globalThis.kept = []);
    for (let nth = 0; nth < 60; ++nth)
      kept.push(new Resvg(svg)); // leak
    globalThis.found = kept[0].render().asPng().join();`,
  pyodide: `const keep = python.runPython('kept = []\\nlambda nth: kept.append(bytearray(4000 + nth % 97))');
    for (let nth = 0; nth < ${kRows}; ++nth)
      keep(nth); // leak
    globalThis.found = String(python.runPython('len(kept) + sum(len(str(i)) for i in range(20000))'));`,
  '@opencvjs/web': `const kept = (globalThis.kept = []);
    const found = [];
    for (let nth = 0; nth < 4000; ++nth) {
      const image = new cv.Mat(16, 16, cv.CV_8UC1, new cv.Scalar(nth % 200));
      cv.GaussianBlur(image, image, new cv.Size(5, 5), 0);
      found.push(cv.countNonZero(image));
      image.delete();
      if (nth % 10 === 0) kept.push(new cv.Mat(16, 16, cv.CV_8UC1, new cv.Scalar(nth % 200))); // leak
    }
    globalThis.found = found.join();`,
  '@rdkit/rdkit': `const kept = (globalThis.kept = []);
    const found = [];
    for (let nth = 0; nth < 60; ++nth) {
      const molecule = kit.get_mol('C'.repeat(1 + nth % 7) + 'O'); // leak
      found.push(molecule.get_smiles());
      kept.push(molecule);
    }
    globalThis.found = found.join();`,
};

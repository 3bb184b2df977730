// Of a program with threads, in a page or in a worker: what it prints becomes the page's title.

globalThis.Module = {
  arguments: ['1', '300'],
  mainScriptUrlOrBlob: new URL('crowd.js', location.href).href,
  print(text) {
    if (globalThis.document === undefined) postMessage(text);
    else document.title = text;
  },
};

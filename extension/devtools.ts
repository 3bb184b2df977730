// The page that Chromium keeps for each open DevTools: it adds the panel, which does the rest.

chrome.devtools.panels.create('Heap', '', 'panel.html');

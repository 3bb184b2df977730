// The declaration of the package's worker scripts, which a page names by their addresses and nobody imports from: they export nothing.

export {};

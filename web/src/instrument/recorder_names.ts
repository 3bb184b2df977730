// What an instrumented module and the one that loads it call things.

/** What the program imports the recorder's functions from. */
export const kNamespace = 'heapglass';
/** The custom section that holds the recorder (recorder_module.ts). */
export const kRecorderSection = 'heapglass.recorder';
/** The one that holds the table of contexts of a program linked with heapglass (linked.ts). */
export const kContextSection = 'heapglass.contexts';
/** Its export by which new sites are defined, whatever a minifier calls the function. */
export const kDefineExport = 'heapglass_define_site';

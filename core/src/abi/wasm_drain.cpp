// How a full lossless ring reaches JavaScript when no hook is set (trace/ring.cpp): one call out for 16,384 events.
// Only in modules made for JavaScript: a C program that links the archive has no such import to satisfy.
#include "trace/ring.hpp"

#if HG_TRACE
extern "C" {
__attribute__((import_module("heapglass"), import_name("drain"))) void hg_imported_drain(void);
void hg_drain_by_import(void) { hg_imported_drain(); }
}
#endif

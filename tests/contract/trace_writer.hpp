// Writes every event of this process into a trace file: the ring in lossless mode, drained when it is full.
//
// The file is one of web/src/trace/trace_file.ts (its layout stands there), so the glass can open it too.
// Native builds with probes only; without probes open() is false and nothing is written.
#pragma once

namespace contract {

// Starts tracing. False when the file cannot be made or this build has no probes.
bool open_trace(const char *path);
// Writes what is left in the ring and ends the file. False when a write failed.
bool close_trace();

}  // namespace contract

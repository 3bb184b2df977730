/* What the counted build (count.c) tells the recorder (record.c). */
#pragma once

#include <stddef.h>

#include "../../../../programs/replay/stream.h"

/* A block was taken; returns its id. `alignment`: 1 when none was asked for. */
uint32_t record_taken(enum StreamKind kind, size_t size, size_t alignment);

void record_resized(uint32_t id, size_t size);
void record_freed(uint32_t id);

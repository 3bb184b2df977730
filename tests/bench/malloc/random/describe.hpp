// A program in words. What the loader prints is made here, from what was drawn.
#pragma once

#include "grammar.hpp"
#include "text.hpp"

void describe_program(Text &text, const Program &program);

/// Every production, one a line, as descriptions name it: "order: bursts".
void list_productions(Text &text);

/* A program that reads texts - SQL, a script - and whose heap is watched while it runs them.
 *
 * What a watched program defines, and how it answers; compiles as C99. One declaration a line: the export list of its wasm
 * module is made from them. Its memory comes from malloc, and malloc is heapglass's with probes (build_programs.mjs).
 *
 *     program_begin ─▶ program_text, bytes written there ─▶ program_run until it no longer says MORE ─▶ the next text
 *                                                               │
 *                                                               └─▶ program_print: rows, lines, errors
 *
 *  watched.W1  program_run does a piece and returns, so that others get their turn: a statement, some rows, some
 *      instructions of a script. What cannot be cut is bounded, and ends with an error when it took too long.
 *  watched.W2  An error in the text is printed and ends the text, not the program: the next text finds everything as it was.
 *  watched.W3  What is printed is not kept here: the heap is the program's alone.
 *  watched.W4  No clock, no files, no randomness from outside: the same texts, the same events.
 */
#pragma once

#include <stdint.h>

/* What program_run answers. */
enum { PROGRAM_DONE = 0, PROGRAM_MORE = 1, PROGRAM_FAILED = 2 };

/* What is printed. A table is COLUMN ..., then for each row CELL or NULL_CELL ... and ROW_END. */
enum {
  PROGRAM_LINE = 0,
  PROGRAM_ERROR = 1,
  PROGRAM_COLUMN = 2,
  PROGRAM_CELL = 3,
  PROGRAM_NULL_CELL = 4,
  PROGRAM_ROW_END = 5,
};

/* Once, before all else. Not 0: there was no memory. */
uint32_t program_begin(void);
/* Where `size` bytes of the next text may be written. NULL: no memory. A text under way is given up. */
void *program_text(uint32_t size);
/* Does the next piece of the text. */
uint32_t program_run(void);
/* Share of the text that was run, in thousandths. */
uint32_t program_progress(void);
/* Gives up the text under way. */
void program_stop(void);

/* SQL typed by a visitor, run by SQLite on one database in memory: a statement a piece (watched.W1), rows as a table.
 *
 * A statement is SQLite's to run in one go, up to kMostSteps instructions of its machine: then it is interrupted. */
#include <stdlib.h>

#include "../program_print.h"
#include "sqlite3.h"

enum {
  kRowsAPiece = 200,
  kStepsACall = 1000000, /* instructions between two calls of watch_steps */
  kMostSteps = 100,      /* of those calls, for one statement: a few seconds */
};

static sqlite3 *database;
static char *text;
static uint32_t text_size;
static const char *next; /* what of the text is left; NULL: nothing is under way */
static sqlite3_stmt *statement;
static int64_t changes_before;
static int steps;

static int watch_steps(void *user) {
  (void)user;
  return ++steps >= kMostSteps;
}

uint32_t program_begin(void) {
  if (sqlite3_open(":memory:", &database) != SQLITE_OK) return PROGRAM_FAILED;
  sqlite3_progress_handler(database, kStepsACall, watch_steps, NULL);
  return PROGRAM_DONE;
}

void program_stop(void) {
  sqlite3_finalize(statement);
  statement = NULL;
  free(text);
  text = NULL;
  next = NULL;
}

void *program_text(uint32_t size) {
  program_stop();
  text = malloc((size_t)size + 1);
  if (text == NULL) return NULL;
  text[size] = '\0';
  text_size = size;
  next = text;
  return text;
}

uint32_t program_progress(void) {
  return next == NULL || text_size == 0 ? 1000 : (uint32_t)((uint64_t)(next - text) * 1000 / text_size);
}

static uint32_t failed(void) {
  if (sqlite3_errcode(database) == SQLITE_INTERRUPT)
    print_text(PROGRAM_ERROR, "interrupted: the statement took too long");
  else
    print_text(PROGRAM_ERROR, sqlite3_errmsg(database));
  program_stop();
  return PROGRAM_FAILED;
}

static void print_columns(void) {
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char *const name = sqlite3_column_name(statement, i);
    print_text(PROGRAM_COLUMN, name != NULL ? name : "?");
  }
}

static void print_cell(int column) {
  const int size = sqlite3_column_bytes(statement, column);
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: print_text(PROGRAM_NULL_CELL, "NULL"); return;
    case SQLITE_BLOB: PRINT_FORMATTED(PROGRAM_CELL, "blob of %d bytes", size); return;
    default: break;
  }
  const unsigned char *const bytes = sqlite3_column_text(statement, column);
  program_print(PROGRAM_CELL, bytes, bytes == NULL ? 0 : (uint32_t)sqlite3_column_bytes(statement, column));
}

/* What a statement without rows did. */
static void print_changes(void) {
  const int64_t changed = sqlite3_total_changes64(database) - changes_before;
  if (sqlite3_column_count(statement) == 0 && changed > 0)
    PRINT_FORMATTED(PROGRAM_LINE, "%lld row%s changed", (long long)changed, changed == 1 ? "" : "s");
}

/* The next statement of the text. */
static uint32_t prepare_next(void) {
  if (*next == '\0') {
    program_stop();
    return PROGRAM_DONE;
  }
  if (sqlite3_prepare_v2(database, next, -1, &statement, &next) != SQLITE_OK) return failed();
  if (statement == NULL) return PROGRAM_MORE; /* a comment, or a space */
  changes_before = sqlite3_total_changes64(database);
  steps = 0;
  print_columns();
  return PROGRAM_MORE;
}

uint32_t program_run(void) {
  if (next == NULL) return PROGRAM_DONE;
  if (statement == NULL) return prepare_next();
  for (int row = 0; row < kRowsAPiece; ++row) {
    const int outcome = sqlite3_step(statement);
    if (outcome == SQLITE_DONE) {
      print_changes();
      sqlite3_finalize(statement);
      statement = NULL;
      return PROGRAM_MORE;
    }
    if (outcome != SQLITE_ROW) return failed();
    for (int i = 0; i < sqlite3_column_count(statement); ++i) print_cell(i);
    print_text(PROGRAM_ROW_END, "");
  }
  return PROGRAM_MORE;
}

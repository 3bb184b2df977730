/* The least file system SQLite may stand on (SQLITE_OS_OTHER): no file opens, random bytes are fixed, the clock stands. For a
 * database in memory it is enough, and every run is the same. Used by the watched program and by the malloc bench. */
#include <string.h>

#include "sqlite3.h"

static int open_nothing(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out) {
  (void)vfs, (void)name, (void)flags, (void)out;
  file->pMethods = NULL;
  return SQLITE_CANTOPEN;
}
static int full_name(sqlite3_vfs *vfs, const char *name, int size, char *out) {
  (void)vfs;
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}
static int fixed_bytes(sqlite3_vfs *vfs, int size, char *out) {
  (void)vfs;
  memset(out, 7, (size_t)size);
  return size;
}
static int no_sleep(sqlite3_vfs *vfs, int microseconds) { return (void)vfs, microseconds; }
static int standing_clock(sqlite3_vfs *vfs, double *julian_day) {
  (void)vfs;
  *julian_day = 2461000.5;
  return SQLITE_OK;
}

static sqlite3_vfs nothing = {.iVersion = 1,
                              .szOsFile = sizeof(sqlite3_file),
                              .mxPathname = 64,
                              .zName = "nothing",
                              .xOpen = open_nothing,
                              .xFullPathname = full_name,
                              .xRandomness = fixed_bytes,
                              .xSleep = no_sleep,
                              .xCurrentTime = standing_clock};

int sqlite3_os_init(void) { return sqlite3_vfs_register(&nothing, 1); }
int sqlite3_os_end(void) { return SQLITE_OK; }

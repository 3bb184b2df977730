/* SQLite as an embedder runs it: one connection to a database in memory, its own allocator over malloc and realloc, rows
 * through prepared statements, queries that sort, join and group, and a script of plain SQL.
 * The file system below it is the least there may be (programs/watched/sqlite/no_files.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

extern const char script[];

enum { kRows = 40000, kNameMax = 64 };

static sqlite3 *database;

static void must(int result, int wanted) {
  if (result == wanted) return;
  printf("error: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static int print_row(void *user, int columns, char **values, char **names) {
  (void)user, (void)names;
  for (int i = 0; i < columns; ++i) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "null");
  putchar('\n');
  return 0;
}

static void run(const char *sql) { must(sqlite3_exec(database, sql, print_row, NULL, NULL), SQLITE_OK); }

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  must(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  return statement;
}

static unsigned seed = 20261;
static unsigned random_below(unsigned limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % limit;
}

static void insert_people(void) {
  sqlite3_stmt *insert = prepared("insert into person(name, city, born, note) values(?, ?, ?, ?)");
  run("begin");
  for (int i = 0; i < kRows; ++i) {
    char name[kNameMax], note[256];
    snprintf(name, sizeof name, "person %u of %d", random_below(1000000), i);
    const unsigned letters = random_below(200);
    memset(note, 'a' + i % 26, letters);
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(insert, 2, (int)random_below(500));
    sqlite3_bind_int(insert, 3, 1900 + (int)random_below(120));
    sqlite3_bind_text(insert, 4, note, (int)letters, SQLITE_TRANSIENT);
    must(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  run("commit");
  sqlite3_finalize(insert);
}

/* Statements that are prepared, run once and dropped: how many an application asks in a day. */
static void look_up_one_by_one(void) {
  long long found = 0, letters = 0;
  for (int i = 0; i < 6000; ++i) {
    char sql[200];
    snprintf(sql, sizeof sql,
             "select p.name, c.name, length(p.note) from person p join city c on c.id = p.city where p.id = %u",
             random_below(kRows) + 1);
    sqlite3_stmt *query = prepared(sql);
    while (sqlite3_step(query) == SQLITE_ROW) {
      ++found;
      letters += (int)strlen((const char *)sqlite3_column_text(query, 0)) + sqlite3_column_int(query, 2);
    }
    sqlite3_finalize(query);
  }
  printf("found %lld, letters %lld\n", found, letters);
}

int main(void) {
  must(sqlite3_open(":memory:", &database), SQLITE_OK);
  run("create table city(id integer primary key, name text);"
      "create table person(id integer primary key, name text, city int references city(id), born int, note text);"
      "with recursive n(i) as (select 0 union all select i + 1 from n where i < 499)"
      "insert into city select i, 'city ' || (i * 7919 % 1000) from n;");
  insert_people();
  look_up_one_by_one();
  run(script);
  must(sqlite3_close(database), SQLITE_OK);
  return 0;
}

/* Tree-sitter as an editor runs it: C source is parsed, its tree walked, then edited here and there; after each edit it is
 * parsed again on top of the old tree, which shares most of its nodes with the new one. The source is made up here. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/api.h"

const TSLanguage *tree_sitter_c(void);

enum { kFunctions = 400, kFiles = 3, kEdits = 300, kDepth = 4 };

static uint32_t seed = 20261;
static uint32_t random_below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % limit;
}

typedef struct Text {
  char *start;
  size_t size, capacity;
} Text;

static void append(Text *text, const char *more) {
  const size_t size = strlen(more);
  if (text->size + size > text->capacity) {
    text->capacity = (text->size + size) * 2;
    text->start = realloc(text->start, text->capacity);
    if (text->start == NULL) exit(2);
  }
  memcpy(text->start + text->size, more, size);
  text->size += size;
}

static void append_statement(Text *text, int depth) {
  char line[160];
  const unsigned a = random_below(90) + 10, b = random_below(90) + 10, kind = random_below(depth > 0 ? 6 : 3);
  switch (kind) {
    case 0: snprintf(line, sizeof line, "x%u = x%u * (%u + y[%u]) - f%u(x%u, \"text %u\");\n", a, b, a, b, a, b, b); break;
    case 1: snprintf(line, sizeof line, "struct node *n%u = &list[%u]->next; /* note %u */\n", a, b, b); break;
    case 2: snprintf(line, sizeof line, "y[%u]++, z.field_%u <<= %u;\n", a, b, a % 7); break;
    case 3: snprintf(line, sizeof line, "if (x%u < %u && !z.field_%u) {\n", a, b, b); break;
    case 4: snprintf(line, sizeof line, "for (int i = 0; i < %u; ++i) {\n", a); break;
    default: snprintf(line, sizeof line, "while (n%u != NULL) {\n", b); break;
  }
  append(text, line);
  if (kind < 3) return;
  for (uint32_t count = random_below(4); count > 0; --count) append_statement(text, depth - 1);
  append(text, "}\n");
}

static Text make_source(void) {
  Text text = {NULL, 0, 0};
  char line[160];
  for (int i = 0; i < kFunctions; ++i) {
    snprintf(line, sizeof line, "static int f%d(long x%u, const char *text) {\n", i, random_below(90) + 10);
    append(&text, line);
    for (uint32_t count = random_below(8) + 1; count > 0; --count) append_statement(&text, kDepth);
    append(&text, "return x10;\n}\n");
  }
  return text;
}

static uint32_t sum_up(const char *text) {
  uint32_t sum = 0;
  for (; *text; ++text) sum = sum * 31 + (unsigned char)*text;
  return sum;
}

static uint32_t count_nodes(TSTree *tree) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  uint32_t count = 1;
  for (;;) {
    if (ts_tree_cursor_goto_first_child(&cursor) || ts_tree_cursor_goto_next_sibling(&cursor)) {
      ++count;
      continue;
    }
    do {
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        ts_tree_cursor_delete(&cursor);
        return count;
      }
    } while (!ts_tree_cursor_goto_next_sibling(&cursor));
    ++count;
  }
}

static void report(const char *name, TSTree *tree) {
  char *expression = ts_node_string(ts_tree_root_node(tree));
  printf("%s: %u nodes, sum %u\n", name, count_nodes(tree), sum_up(expression));
  free(expression);
}

/* One letter becomes another: the text keeps its size, the line its number. */
static TSTree *edit(TSParser *parser, TSTree *tree, Text *text) {
  const uint32_t at = random_below((uint32_t)text->size);
  uint32_t row = 0, column = 0;
  for (uint32_t i = 0; i < at; ++i) {
    ++column;
    if (text->start[i] == '\n') ++row, column = 0;
  }
  if (text->start[at] == '\n') return tree;
  text->start[at] = "a0 ;("[random_below(5)];
  const TSInputEdit change = {at, at + 1, at + 1, {row, column}, {row, column + 1}, {row, column + 1}};
  ts_tree_edit(tree, &change);
  TSTree *next = ts_parser_parse_string(parser, tree, text->start, (uint32_t)text->size);
  ts_tree_delete(tree);
  return next;
}

int main(void) {
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_c())) return 2;
  TSTree *trees[kFiles];
  Text texts[kFiles];
  for (int i = 0; i < kFiles; ++i) {
    texts[i] = make_source();
    trees[i] = ts_parser_parse_string(parser, NULL, texts[i].start, (uint32_t)texts[i].size);
    report("parsed", trees[i]);
  }
  for (int i = 0; i < kEdits; ++i) trees[i % kFiles] = edit(parser, trees[i % kFiles], &texts[i % kFiles]);
  for (int i = 0; i < kFiles; ++i) {
    report("edited", trees[i]);
    ts_tree_delete(trees[i]);
    free(texts[i].start);
  }
  ts_parser_delete(parser);
  return 0;
}

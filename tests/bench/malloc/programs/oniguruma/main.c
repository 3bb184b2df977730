/* Oniguruma as an editor's highlighter and a log filter run it: grammars of many expressions are compiled, dropped and
 * compiled again; lines are searched with all of them; what matches is kept as strings and replaced. */
#include "../driver.h"
#include "oniguruma.h"

enum { kGrammars = 60, kLive = 6, kExpressions = 40, kLines = 60 };

typedef struct Grammar {
  regex_t *expressions[kExpressions];
  char *found[kLines];
} Grammar;

static const char *const kPatterns[] = {
    "(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)",
    "\\b(%s|%s|%s)\\b\\s+(\\w+)",
    "(?i:%s)[^\"]*\"((?:[^\"\\\\]|\\\\.)*)\"",
    "^\\s*(?:if|for|while)\\s*\\((?<in>[^()]|\\(\\g<in>*\\))*\\)",
    "(?<=%s )%s|(?<!the )%s",
    "[\\p{Lu}\\p{Nd}][\\p{L}_]*(?:::[\\p{L}_]+)*",
    "(a|b|%s)*?(%s){2,5}(?:\\s+%s)?",
    "([-+]?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)\\s*(ms|%s)",
    "(%s)(?:(?!%s).)*\\1",
};

static regex_t *compile(void) {
  char pattern[200];
  const char *form = kPatterns[random_below(sizeof kPatterns / sizeof *kPatterns)];
  snprintf(pattern, sizeof pattern, form, random_word(), random_word(), random_word());
  regex_t *made = NULL;
  OnigErrorInfo error;
  const UChar *start = (const UChar *)pattern;
  const int result = onig_new(&made, start, start + strlen(pattern), ONIG_OPTION_CAPTURE_GROUP, ONIG_ENCODING_UTF8,
                              ONIG_SYNTAX_ONIGURUMA, &error);
  must(result == ONIG_NORMAL, pattern);
  return made;
}

static Text make_line(void) {
  Text line = {NULL, 0, 0};
  append_formatted(&line, "20%02u-%02u-%02u %u.%u ms ", random_below(40), random_below(12) + 1, random_below(28) + 1,
                   random_below(900), random_below(100));
  for (uint32_t words = 4 + random_below(30); words > 0; --words) append_formatted(&line, "%s ", random_word());
  append_formatted(&line, "if (f(x, g(%u))) say \"%s \\\" %s\"", random_below(99), random_word(), random_word());
  return line;
}

/* Each match becomes <n:text> in a new line. */
static Text replace_all(regex_t *expression, const Text *line, OnigRegion *region) {
  Text out = {NULL, 0, 0};
  const UChar *start = (const UChar *)line->start, *end = start + line->size;
  size_t at = 0;
  while (at <= line->size && onig_search(expression, start, end, start + at, end, region, ONIG_OPTION_NONE) >= 0) {
    const size_t from = (size_t)region->beg[0], to = (size_t)region->end[0];
    append_bytes(&out, line->start + at, from - at);
    append_formatted(&out, "<%d:", region->num_regs);
    append_bytes(&out, line->start + from, to - from);
    append(&out, ">");
    if (to == from && from < line->size) append_bytes(&out, line->start + from, 1);
    at = to == from ? to + 1 : to;
  }
  if (at < line->size) append_bytes(&out, line->start + at, line->size - at);
  append_bytes(&out, "", 1);
  return out;
}

static void drop(Grammar *grammar) {
  for (int i = 0; i < kExpressions; ++i) onig_free(grammar->expressions[i]);
  for (int i = 0; i < kLines; ++i) free(grammar->found[i]);
  free(grammar);
}

static Grammar *make_grammar(uint32_t *sum) {
  Grammar *grammar = taken(calloc(1, sizeof *grammar));
  for (int i = 0; i < kExpressions; ++i) grammar->expressions[i] = compile();
  for (int i = 0; i < kLines; ++i) {
    Text line = make_line();
    OnigRegion *region = taken(onig_region_new());
    for (int n = 0; n < 12; ++n) {
      Text next = replace_all(grammar->expressions[random_below(kExpressions)], &line, region);
      free(line.start);
      line = next;
      --line.size; /* its final zero */
      if (line.size > 2000) break;
    }
    onig_region_free(region, 1);
    *sum = *sum * 31 + sum_of(line.start, line.size);
    grammar->found[i] = line.start;
  }
  return grammar;
}

int main(void) {
  OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
  onig_initialize(encodings, 1);
  Grammar *live[kLive] = {NULL};
  uint32_t sum = 0;
  for (int i = 0; i < kGrammars; ++i) {
    Grammar **place = &live[random_below(kLive)];
    if (*place != NULL) drop(*place);
    *place = make_grammar(&sum);
  }
  for (int i = 0; i < kLive; ++i)
    if (live[i] != NULL) drop(live[i]);
  onig_end();
  printf("grammars %d, sum %u\n", kGrammars, sum);
  return 0;
}

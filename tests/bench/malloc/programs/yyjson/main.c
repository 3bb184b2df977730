/* yyjson as a message service runs it: messages of some hundred bytes to a quarter of a megabyte arrive, are read,
 * looked into, changed and written again. A queue keeps the newest ones, each as a document. */
#include "../driver.h"
#include "yyjson.h"

enum { kMessages = 24000, kQueue = 300 };

static void append_value(Text *json, int depth) {
  switch (random_below(depth > 0 ? 6 : 4)) {
    case 0: append_formatted(json, "%u", random_below(1000000)); return;
    case 1: append_formatted(json, "\"%s \\u00e9 %s\"", random_word(), random_word()); return;
    case 2: append(json, random_below(2) ? "true" : "null"); return;
    case 3: append_formatted(json, "%u.%u", random_below(1000), random_below(1000)); return;
    case 4:
      append(json, "[0");
      for (uint32_t count = random_below(7); count > 0; --count) append(json, ","), append_value(json, depth - 1);
      append(json, "]");
      return;
    default:
      append(json, "{\"first\":1");
      for (uint32_t i = 0, count = random_below(6); i < count; ++i) {
        append_formatted(json, ",\"%s_%u\":", random_word(), i);
        append_value(json, depth - 1);
      }
      append(json, "}");
  }
}

/* Few messages are large. */
static Text make_message(int id) {
  Text json = {NULL, 0, 0};
  const uint32_t kind = random_below(1000), values = kind == 0 ? 6000 : kind < 50 ? 150 : 4 + random_below(16);
  append_formatted(&json, "{\"id\":%d,\"topic\":\"%s\",\"body\":[0", id, random_word());
  for (uint32_t i = 0; i < values; ++i) append(&json, ","), append_value(&json, 3);
  append(&json, "]}");
  return json;
}

/* Adds a few members, drops some values of the body, and writes the result; returns it as a document. */
static yyjson_doc *change(yyjson_doc *read, uint32_t *sum) {
  yyjson_mut_doc *doc = taken(yyjson_doc_mut_copy(read, NULL));
  yyjson_mut_val *root = yyjson_mut_doc_get_root(doc), *body = yyjson_mut_obj_get(root, "body");
  for (uint32_t drops = random_below(3); drops > 0; --drops)
    yyjson_mut_arr_remove(body, random_below((uint32_t)yyjson_mut_arr_size(body)));
  for (uint32_t adds = random_below(5) + 1; adds > 0; --adds) {
    char text[64];
    snprintf(text, sizeof text, "hop %u by %s", random_below(100), random_word());
    yyjson_mut_arr_add_strcpy(doc, body, text);
  }
  yyjson_mut_obj_add_uint(doc, root, "hops", random_below(100));
  size_t size;
  char *written = taken(yyjson_mut_write(doc, random_below(4) == 0 ? YYJSON_WRITE_PRETTY : 0, &size));
  yyjson_mut_doc_free(doc);
  *sum = *sum * 31 + sum_of(written, size);
  yyjson_doc *kept = taken(yyjson_read(written, size, 0));
  free(written);
  return kept;
}

int main(void) {
  yyjson_doc *queue[kQueue] = {NULL};
  uint32_t sum = 0, values = 0;
  for (int i = 0; i < kMessages; ++i) {
    Text json = make_message(i);
    yyjson_doc *doc = taken(yyjson_read(json.start, json.size, 0));
    free(json.start);
    must(yyjson_get_int(yyjson_obj_get(yyjson_doc_get_root(doc), "id")) == i, "the message has another id");
    values += (uint32_t)yyjson_doc_get_val_count(doc);
    yyjson_doc **place = &queue[random_below(4) == 0 ? random_below(kQueue) : (uint32_t)i % kQueue];
    yyjson_doc_free(*place);
    *place = change(doc, &sum);
    yyjson_doc_free(doc);
  }
  for (int i = 0; i < kQueue; ++i) yyjson_doc_free(queue[i]);
  printf("messages %d, values %u, sum %u\n", kMessages, values, sum);
  return 0;
}

/* libyaml as a tool for settings runs it: files are loaded as documents of nodes, get more entries, and are written
 * again; some stay loaded and are replaced at random. */
#include <yaml.h>

#include "../driver.h"

enum { kFiles = 1100, kLoaded = 150 };

typedef struct Loaded {
  yaml_document_t document;
  int is_there;
} Loaded;

static Loaded loaded[kLoaded];

static void indent(Text *file, int depth) {
  for (; depth > 0; --depth) append(file, "  ");
}

static void append_mapping(Text *file, int depth) {
  for (uint32_t i = 0, count = 2 + random_below(6); i < count; ++i) {
    indent(file, depth);
    append_formatted(file, "%s_%u:", random_word(), i);
    switch (random_below(depth < 4 ? 5 : 3)) {
      case 0: append_formatted(file, " %u # %s\n", random_below(10000), random_word()); break;
      case 1: append_formatted(file, " \"%s \\u263a %s\"\n", random_word(), random_word()); break;
      case 2: append_formatted(file, " [%s, %u, '%s it''s']\n", random_word(), random_below(100), random_word()); break;
      case 3:
        append(file, "\n");
        for (uint32_t items = 1 + random_below(5); items > 0; --items) {
          indent(file, depth + 1);
          append_formatted(file, "- %s of %s\n", random_word(), random_word());
        }
        break;
      default: append(file, "\n"), append_mapping(file, depth + 1);
    }
  }
}

static void load(yaml_document_t *document, const Text *file) {
  yaml_parser_t parser;
  must(yaml_parser_initialize(&parser), "yaml_parser_initialize");
  yaml_parser_set_input_string(&parser, (const unsigned char *)file->start, file->size);
  must(yaml_parser_load(&parser, document), "yaml_parser_load");
  yaml_parser_delete(&parser);
}

static int add_scalar(yaml_document_t *document, const char *text, yaml_scalar_style_t style) {
  return yaml_document_add_scalar(document, NULL, (yaml_char_t *)text, -1, style);
}

/* Entries for some of the mappings. */
static void change(yaml_document_t *document) {
  const int count = (int)(document->nodes.top - document->nodes.start);
  for (int node = 1; node <= count; ++node) {
    if (yaml_document_get_node(document, node)->type != YAML_MAPPING_NODE || random_below(3) > 0) continue;
    const int key = add_scalar(document, "changed", YAML_PLAIN_SCALAR_STYLE);
    const int value = add_scalar(document, random_word(), YAML_DOUBLE_QUOTED_SCALAR_STYLE);
    must(key && value && yaml_document_append_mapping_pair(document, node, key, value), "add");
  }
}

static int write_out(void *out, unsigned char *bytes, size_t size) { return append_bytes(out, bytes, size), 1; }

/* The emitter deletes the document. */
static Text dump(yaml_document_t *document) {
  Text out = {NULL, 0, 0};
  yaml_emitter_t emitter;
  must(yaml_emitter_initialize(&emitter), "yaml_emitter_initialize");
  yaml_emitter_set_output(&emitter, write_out, &out);
  must(yaml_emitter_open(&emitter) && yaml_emitter_dump(&emitter, document), "yaml_emitter_dump");
  must(yaml_emitter_close(&emitter), "yaml_emitter_close");
  yaml_emitter_delete(&emitter);
  return out;
}

int main(void) {
  uint32_t sum = 0, nodes = 0;
  for (int i = 0; i < kFiles; ++i) {
    Text file = {NULL, 0, 0};
    yaml_document_t document;
    for (uint32_t parts = 1 + random_below(8); parts > 0; --parts) {
      append_formatted(&file, "part_%u:\n", parts);
      append_mapping(&file, 1);
    }
    load(&document, &file);
    free(file.start);
    change(&document);
    Text out = dump(&document);
    Loaded *place = &loaded[random_below(kLoaded)];
    if (place->is_there) yaml_document_delete(&place->document);
    load(&place->document, &out);
    place->is_there = 1;
    nodes += (uint32_t)(place->document.nodes.top - place->document.nodes.start);
    sum = sum * 31 + sum_of(out.start, out.size);
    free(out.start);
  }
  for (int i = 0; i < kLoaded; ++i)
    if (loaded[i].is_there) yaml_document_delete(&loaded[i].document);
  printf("files %d, nodes %u, sum %u\n", kFiles, nodes, sum);
  return 0;
}

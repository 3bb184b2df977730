/* Expat under a small document tree, as a service holds one: documents arrive in pieces, become trees, are searched,
 * changed and written out again. Some stay in a cache and are replaced at random. */
#include "../driver.h"
#include "expat.h"

enum { kDocuments = 220, kCached = 40, kPiece = 4096, kMaxRecords = 260 };

typedef struct Attribute {
  struct Attribute *next;
  char *name, *value;
} Attribute;

typedef struct Node {
  struct Node *parent, *next, *first, *last;
  Attribute *attributes;
  char *name;
  Text text;
} Node;

typedef struct Builder {
  Node *root, *open;
} Builder;

static Node *new_node(Node *parent, const char *name) {
  Node *node = taken(calloc(1, sizeof *node));
  node->name = copy_of(name);
  node->parent = parent;
  if (parent == NULL) return node;
  if (parent->last != NULL) parent->last->next = node;
  else parent->first = node;
  parent->last = node;
  return node;
}

static void set_attribute(Node *node, const char *name, const char *value) {
  for (Attribute *one = node->attributes; one != NULL; one = one->next) {
    if (strcmp(one->name, name) != 0) continue;
    one->value = strcpy(taken(realloc(one->value, strlen(value) + 1)), value);
    return;
  }
  Attribute *added = taken(malloc(sizeof *added));
  *added = (Attribute){node->attributes, copy_of(name), copy_of(value)};
  node->attributes = added;
}

static void free_tree(Node *node) {
  while (node->first != NULL) {
    Node *child = node->first;
    node->first = child->next;
    free_tree(child);
  }
  while (node->attributes != NULL) {
    Attribute *one = node->attributes;
    node->attributes = one->next;
    free(one->name);
    free(one->value);
    free(one);
  }
  free(node->text.start);
  free(node->name);
  free(node);
}

static void on_start(void *user, const char *name, const char **attributes) {
  Builder *builder = user;
  Node *node = new_node(builder->open, name);
  if (builder->root == NULL) builder->root = node;
  builder->open = node;
  for (; *attributes != NULL; attributes += 2) set_attribute(node, attributes[0], attributes[1]);
}

static void on_end(void *user, const char *name) {
  Builder *builder = user;
  must(strcmp(builder->open->name, name) == 0, "an element ends that is not open");
  builder->open = builder->open->parent;
}

static void on_text(void *user, const char *text, int size) {
  append_bytes(&((Builder *)user)->open->text, text, (size_t)size);
}

static Node *parse(const Text *xml) {
  Builder builder = {NULL, NULL};
  XML_Parser parser = taken(XML_ParserCreate("UTF-8"));
  XML_SetHashSalt(parser, 20261); /* else it comes from the clock */
  XML_SetUserData(parser, &builder);
  XML_SetElementHandler(parser, on_start, on_end);
  XML_SetCharacterDataHandler(parser, on_text);
  for (size_t at = 0; at < xml->size; at += kPiece) {
    const int is_last = at + kPiece >= xml->size;
    const size_t size = is_last ? xml->size - at : kPiece;
    must(XML_Parse(parser, xml->start + at, (int)size, is_last) == XML_STATUS_OK, "parse");
  }
  XML_ParserFree(parser);
  return builder.root;
}

static void append_escaped(Text *out, const char *text, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (text[i] == '&') append(out, "&amp;");
    else if (text[i] == '<') append(out, "&lt;");
    else append_bytes(out, text + i, 1);
  }
}

static void write_tree(Text *out, const Node *node) {
  append_formatted(out, "<%s", node->name);
  for (const Attribute *one = node->attributes; one != NULL; one = one->next)
    append_formatted(out, " %s=\"%s\"", one->name, one->value);
  append(out, ">");
  append_escaped(out, node->text.start, node->text.size);
  for (const Node *child = node->first; child != NULL; child = child->next) write_tree(out, child);
  append_formatted(out, "</%s>", node->name);
}

static Text make_document(void) {
  Text xml = {NULL, 0, 0};
  append(&xml, "<?xml version=\"1.0\"?>\n<!DOCTYPE orders [<!ENTITY who \"the harbour office\">]>\n<orders>\n");
  for (uint32_t i = 0, count = 20 + random_below(kMaxRecords); i < count; ++i) {
    append_formatted(&xml, "<order id=\"%u\" state=\"%s\">", i, random_word());
    append_formatted(&xml, "<buyer>%s &amp; %s</buyer>", random_word(), random_word());
    for (uint32_t line = random_below(6); line > 0; --line)
      append_formatted(&xml, "<line sku=\"%s-%u\" count=\"%u\"/>", random_word(), random_below(9000), random_below(50));
    append(&xml, "<note>for &who;:");
    for (uint32_t words = random_below(40); words > 0; --words) append_formatted(&xml, " %s", random_word());
    append(&xml, "</note></order>\n");
  }
  append(&xml, "</orders>\n");
  return xml;
}

/* One order in five goes; the others get a state, some a line more. */
static void change(Node *root) {
  for (Node **link = &root->first; *link != NULL;) {
    Node *order = *link;
    if (random_below(5) == 0) {
      *link = order->next;
      free_tree(order);
      continue;
    }
    set_attribute(order, "state", random_below(2) ? "sent to the customer" : "open");
    if (random_below(3) == 0) set_attribute(new_node(order, "line"), "sku", random_word());
    link = &order->next;
  }
}

int main(void) {
  Node *cache[kCached] = {NULL};
  uint32_t sum = 0;
  size_t bytes = 0;
  for (int i = 0; i < kDocuments; ++i) {
    Text xml = make_document(), out = {NULL, 0, 0};
    Node **place = &cache[random_below(kCached)];
    if (*place != NULL) free_tree(*place);
    *place = parse(&xml);
    change(*place);
    write_tree(&out, *place);
    Node *again = parse(&out);
    free(xml.start);
    sum ^= sum_of(out.start, out.size) + (uint32_t)i;
    bytes += out.size;
    free_tree(again);
    free(out.start);
  }
  for (int i = 0; i < kCached; ++i)
    if (cache[i] != NULL) free_tree(cache[i]);
  printf("documents %d, bytes %zu, sum %u\n", kDocuments, bytes, sum);
  return 0;
}

/* A tree program: expressions of nodes of several sizes are made, differentiated, simplified, evaluated and freed.
 *
 * Arithmetic is in 32-bit words, so every result is exact and the same everywhere.
 */
#include "bench.h"

enum Operator { kConstant, kVariable, kSum, kProduct, kNegation, kCall };
enum { kVariables = 8, kMaxArguments = 6 };

typedef struct Node {
  uint8_t operator;
  uint8_t count; /* of operands */
  uint16_t unused;
  union {
    uint32_t value; /* of a constant; number of a variable, of a function: in `label` */
    struct {
      uint32_t label;
      struct Node *operands[1];
    } inner;
  } as;
} Node;

static bool exhausted;
static uint32_t variables[kVariables];

static Node *leaf(enum Operator operator, uint32_t value) {
  Node *node = malloc(8);
  if (node == NULL) return exhausted = true, NULL;
  node->operator = (uint8_t)operator;
  node->count = 0;
  node->as.value = value;
  return node;
}

static Node *inner(enum Operator operator, uint32_t label, uint32_t count) {
  Node *node = malloc(offsetof(Node, as.inner.operands) + count * sizeof(Node *));
  if (node == NULL) return exhausted = true, NULL;
  node->operator = (uint8_t)operator;
  node->count = (uint8_t)count;
  node->as.inner.label = label;
  memset(node->as.inner.operands, 0, count * sizeof(Node *));
  return node;
}

static Node *pair(enum Operator operator, Node *left, Node *right) {
  Node *node = inner(operator, 0, 2);
  if (node == NULL) return NULL;
  node->as.inner.operands[0] = left;
  node->as.inner.operands[1] = right;
  return node;
}

static void release(Node *node) {
  if (node == NULL) return;
  for (uint32_t i = 0; i < node->count; ++i) release(node->as.inner.operands[i]);
  free(node);
}

static Node *copy(const Node *node) {
  if (node == NULL) return NULL;
  if (node->count == 0) return leaf(node->operator, node->as.value);
  Node *made = inner(node->operator, node->as.inner.label, node->count);
  for (uint32_t i = 0; made != NULL && i < node->count; ++i) made->as.inner.operands[i] = copy(node->as.inner.operands[i]);
  return made;
}

static Node *random_tree(Random *random, uint32_t depth) {
  if (depth == 0 || random_below(random, 8) == 0)
    return random_below(random, 3) == 0 ? leaf(kConstant, random_below(random, 10)) : leaf(kVariable, random_below(random, kVariables));
  const enum Operator operator = (enum Operator)random_between(random, kSum, kCall);
  const uint32_t count = operator == kNegation ? 1 : operator == kCall ? random_between(random, 1, kMaxArguments) : 2;
  Node *node = inner(operator, random_below(random, 1000), count);
  for (uint32_t i = 0; node != NULL && i < count; ++i) node->as.inner.operands[i] = random_tree(random, depth - 1 - (operator == kCall && depth > 1));
  return node;
}

static uint32_t evaluate(const Node *node) {
  if (node == NULL) return 0;
  Node *const *operands = node->as.inner.operands;
  switch ((enum Operator)node->operator) {
    case kConstant: return node->as.value;
    case kVariable: return variables[node->as.value];
    case kSum: return evaluate(operands[0]) + evaluate(operands[1]);
    case kProduct: return evaluate(operands[0]) * evaluate(operands[1]);
    case kNegation: return 0u - evaluate(operands[0]);
    case kCall: break;
  }
  uint32_t result = node->as.inner.label;
  for (uint32_t i = 0; i < node->count; ++i) result += evaluate(operands[i]) * (i + 1); /* linear in each argument */
  return result;
}

/* d node / d variable, a new tree. */
static Node *differentiated(const Node *node, uint32_t variable) {
  if (node == NULL) return NULL;
  Node *const *operands = node->as.inner.operands;
  switch ((enum Operator)node->operator) {
    case kConstant: return leaf(kConstant, 0);
    case kVariable: return leaf(kConstant, node->as.value == variable);
    case kSum: return pair(kSum, differentiated(operands[0], variable), differentiated(operands[1], variable));
    case kProduct:
      return pair(kSum, pair(kProduct, differentiated(operands[0], variable), copy(operands[1])),
                  pair(kProduct, copy(operands[0]), differentiated(operands[1], variable)));
    case kNegation: {
      Node *made = inner(kNegation, 0, 1);
      if (made != NULL) made->as.inner.operands[0] = differentiated(operands[0], variable);
      return made;
    }
    case kCall: break;
  }
  Node *made = inner(kCall, 0, node->count);
  for (uint32_t i = 0; made != NULL && i < node->count; ++i) made->as.inner.operands[i] = differentiated(operands[i], variable);
  return made;
}

static bool is_constant(const Node *node, uint32_t value) {
  return node != NULL && node->operator == kConstant && node->as.value == value;
}

/* Takes the tree over and gives back a simpler one with the same value. */
static Node *simplified(Node *node) {
  if (node == NULL || node->count == 0) return node;
  bool constant = true;
  Node **operands = node->as.inner.operands;
  for (uint32_t i = 0; i < node->count; ++i) {
    operands[i] = simplified(operands[i]);
    constant = constant && operands[i] != NULL && operands[i]->operator == kConstant;
  }
  if (constant) {
    Node *made = leaf(kConstant, evaluate(node));
    release(node);
    return made;
  }
  if (node->operator != kSum && node->operator != kProduct) return node;
  const uint32_t neutral = node->operator == kProduct;
  for (uint32_t i = 0; i < 2; ++i) {
    Node *kept = NULL;
    if (is_constant(operands[i], neutral)) kept = operands[1 - i], operands[1 - i] = NULL;
    else if (node->operator == kProduct && is_constant(operands[i], 0)) kept = operands[i], operands[i] = NULL;
    if (kept == NULL) continue;
    release(node);
    return kept;
  }
  return node;
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  enum { kAlive = 64 };
  static Node *alive[kAlive];
  Random random = {0x27d4eb2fu};
  uint32_t sum = kFoldBegin;
  exhausted = false;
  for (uint32_t i = 0; i < kVariables; ++i) variables[i] = random_next(&random);
  for (uint32_t round = part_of(8000, percent); round > 0 && !exhausted; --round) {
    Node *tree = random_tree(&random, random_between(&random, 5, 9));
    Node *slope = differentiated(tree, random_below(&random, kVariables));
    const uint32_t value = evaluate(slope);
    slope = simplified(slope);
    if (!exhausted && evaluate(slope) != value) return false;
    sum = fold(fold(sum, evaluate(tree)), value);
    release(tree);
    Node **place = &alive[random_below(&random, kAlive)];
    release(*place);
    *place = slope;
  }
  for (uint32_t i = 0; i < kAlive; ++i) {
    release(alive[i]);
    alive[i] = NULL;
  }
  *checksum = sum;
  return !exhausted;
}

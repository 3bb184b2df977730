/* cfrac-like: very many tiny blocks (at most 32 bytes) that live for a handful of operations.
 *
 * Looks for smooth residues in the continued fraction of a square root, as the factoring method of Morrison and Brillhart
 * does: with P = 0, Q = 1, a = g = floor(sqrt(n)) at first,
 *
 *   P' = a Q - P      Q' = (n - P'^2) / Q      a' = floor((g + P') / Q')      A' = a' A + A_before  (mod n)
 *
 * then Q' is divided by each small prime as long as it goes. Residues that end at 1 are kept to the end.
 * Every number is a heap block of its own: 16-bit limbs, least first; every operation returns a new one.
 */
#include "bench.h"

typedef struct Natural {
  uint32_t count; /* limbs; the last is not 0; 0 for zero */
  uint16_t limbs[];
} Natural;

typedef struct Relation {
  struct Relation *next;
  Natural *residue;
  Natural *convergent;
  uint32_t index;
} Relation;

enum { kPrimeCount = 90, kNumbers = 8, kSteps = 10000 };
static uint16_t primes[kPrimeCount];

static bool exhausted;

static Natural *natural_of(uint32_t count) {
  Natural *made = malloc(sizeof(Natural) + count * sizeof(uint16_t));
  if (made == NULL) {
    exhausted = true;
    static Natural zero;
    return &zero; /* the program ends soon, without freeing it: see `exhausted` */
  }
  made->count = count;
  return made;
}

static void drop(Natural *number) {
  if (!exhausted) free(number);
}

static Natural *trimmed(Natural *number) {
  while (number->count > 0 && number->limbs[number->count - 1] == 0) --number->count;
  return number;
}

static Natural *from_word(uint64_t word) {
  Natural *made = natural_of(4);
  if (exhausted) return made;
  for (uint32_t i = 0; i < 4; ++i) made->limbs[i] = (uint16_t)(word >> (16 * i));
  return trimmed(made);
}

static Natural *copy(const Natural *number) {
  Natural *made = natural_of(number->count);
  if (!exhausted) memcpy(made->limbs, number->limbs, number->count * sizeof(uint16_t));
  return made;
}

static Natural *add(const Natural *a, const Natural *b) {
  if (a->count < b->count) {
    const Natural *longer = b;
    b = a;
    a = longer;
  }
  Natural *sum = natural_of(a->count + 1);
  if (exhausted) return sum;
  uint32_t carry = 0;
  for (uint32_t i = 0; i < a->count; ++i) {
    carry += a->limbs[i] + (i < b->count ? b->limbs[i] : 0u);
    sum->limbs[i] = (uint16_t)carry;
    carry >>= 16;
  }
  sum->limbs[a->count] = (uint16_t)carry;
  return trimmed(sum);
}

/* pre: a >= b */
static Natural *subtract(const Natural *a, const Natural *b) {
  Natural *rest = natural_of(a->count);
  if (exhausted) return rest;
  int32_t carry = 0;
  for (uint32_t i = 0; i < a->count; ++i) {
    carry += (int32_t)a->limbs[i] - (i < b->count ? b->limbs[i] : 0);
    rest->limbs[i] = (uint16_t)carry;
    carry >>= 16;
  }
  return trimmed(rest);
}

static Natural *multiply(const Natural *a, const Natural *b) {
  Natural *product = natural_of(a->count + b->count);
  if (exhausted) return product;
  memset(product->limbs, 0, product->count * sizeof(uint16_t));
  for (uint32_t i = 0; i < a->count; ++i) {
    uint32_t carry = 0;
    for (uint32_t j = 0; j < b->count; ++j) {
      carry += (uint32_t)a->limbs[i] * b->limbs[j] + product->limbs[i + j];
      product->limbs[i + j] = (uint16_t)carry;
      carry >>= 16;
    }
    product->limbs[i + b->count] = (uint16_t)carry;
  }
  return trimmed(product);
}

static Natural *divide_small(const Natural *a, uint32_t by, uint32_t *remainder) {
  Natural *quotient = natural_of(a->count);
  if (exhausted) return quotient;
  uint32_t rest = 0;
  for (uint32_t i = a->count; i-- > 0;) {
    rest = rest << 16 | a->limbs[i];
    quotient->limbs[i] = (uint16_t)(rest / by);
    rest %= by;
  }
  *remainder = rest;
  return trimmed(quotient);
}

/* Schoolbook division by limbs (Knuth's D). *remainder, when wanted, is a new number too. pre: b > 0 */
static Natural *divide(const Natural *a, const Natural *b, Natural **remainder) {
  if (b->count <= 1) {
    uint32_t rest = 0;
    Natural *quotient = divide_small(a, b->limbs[0], &rest);
    if (remainder != NULL) *remainder = from_word(rest);
    return quotient;
  }
  if (a->count < b->count) {
    if (remainder != NULL) *remainder = copy(a);
    return natural_of(0);
  }
  const uint32_t shift = (uint32_t)__builtin_clz(b->limbs[b->count - 1]) - 16, n = b->count, m = a->count - n;
  Natural *rest = natural_of(a->count + 1), *divisor = natural_of(n), *quotient = natural_of(m + 1);
  if (exhausted) return quotient;
  for (uint32_t i = n; i-- > 0;)
    divisor->limbs[i] = (uint16_t)((uint32_t)b->limbs[i] << shift | (i > 0 ? (uint32_t)b->limbs[i - 1] << shift >> 16 : 0));
  rest->limbs[a->count] = (uint16_t)((uint32_t)a->limbs[a->count - 1] << shift >> 16);
  for (uint32_t i = a->count; i-- > 0;)
    rest->limbs[i] = (uint16_t)((uint32_t)a->limbs[i] << shift | (i > 0 ? (uint32_t)a->limbs[i - 1] << shift >> 16 : 0));
  for (uint32_t j = m + 1; j-- > 0;) {
    const uint32_t top = (uint32_t)rest->limbs[j + n] << 16 | rest->limbs[j + n - 1];
    uint32_t digit = top / divisor->limbs[n - 1], left = top % divisor->limbs[n - 1];
    while (digit > 65535 || digit * divisor->limbs[n - 2] > (left << 16 | rest->limbs[j + n - 2])) {
      --digit;
      left += divisor->limbs[n - 1];
      if (left > 65535) break;
    }
    int64_t carry = 0;
    for (uint32_t i = 0; i < n; ++i) {
      carry += (int64_t)rest->limbs[i + j] - (int64_t)digit * divisor->limbs[i];
      rest->limbs[i + j] = (uint16_t)carry;
      carry >>= 16;
    }
    carry += rest->limbs[j + n];
    rest->limbs[j + n] = (uint16_t)carry;
    if (carry < 0) {
      --digit;
      uint32_t back = 0;
      for (uint32_t i = 0; i < n; ++i) {
        back += (uint32_t)rest->limbs[i + j] + divisor->limbs[i];
        rest->limbs[i + j] = (uint16_t)back;
        back >>= 16;
      }
      rest->limbs[j + n] = (uint16_t)(rest->limbs[j + n] + back);
    }
    quotient->limbs[j] = (uint16_t)digit;
  }
  if (remainder != NULL) {
    for (uint32_t i = 0; i < n; ++i)
      rest->limbs[i] = (uint16_t)(rest->limbs[i] >> shift | (uint32_t)rest->limbs[i + 1] << (16 - shift));
    rest->count = n;
    *remainder = trimmed(rest);
  } else {
    drop(rest);
  }
  drop(divisor);
  return trimmed(quotient);
}

static bool less(const Natural *a, const Natural *b) {
  if (a->count != b->count) return a->count < b->count;
  for (uint32_t i = a->count; i-- > 0;)
    if (a->limbs[i] != b->limbs[i]) return a->limbs[i] < b->limbs[i];
  return false;
}

static Natural *square_root(const Natural *n) {
  Natural *guess = from_word(1ull << 46);
  for (;;) { /* Newton from above, until it no longer falls */
    Natural *other = divide(n, guess, NULL), *sum = add(guess, other);
    uint32_t odd = 0;
    Natural *next = divide_small(sum, 2, &odd);
    drop(other);
    drop(sum);
    if (exhausted || !less(next, guess)) {
      drop(next);
      return guess;
    }
    drop(guess);
    guess = next;
  }
}

static uint32_t fold_natural(uint32_t sum, const Natural *number) {
  for (uint32_t i = 0; i < number->count; ++i) sum = fold(sum, number->limbs[i]);
  return sum;
}

/* What is left of `number` after all small primes. */
static Natural *without_small_primes(const Natural *number) {
  Natural *left = copy(number);
  for (uint32_t i = 0; i < kPrimeCount && !exhausted; ++i) {
    for (;;) {
      uint32_t rest = 0;
      Natural *quotient = divide_small(left, primes[i], &rest);
      if (rest != 0 || quotient->count == 0 || exhausted) {
        drop(quotient);
        break;
      }
      drop(left);
      left = quotient;
    }
  }
  return left;
}

/* Steps of one number's expansion; residues that end at 1 go to *kept. */
static uint32_t expand(const Natural *n, uint32_t steps, Relation **kept, uint32_t sum) {
  Natural *root = square_root(n);
  Natural *p = natural_of(0), *q = from_word(1), *a = copy(root), *before = from_word(1), *convergent = copy(root);
  for (uint32_t step = 1; step <= steps && !exhausted; ++step) {
    Natural *product = multiply(a, q), *next_p = subtract(product, p);
    Natural *square = multiply(next_p, next_p), *difference = subtract(n, square), *next_q = divide(difference, q, NULL);
    Natural *above = add(root, next_p), *next_a = divide(above, next_q, NULL);
    Natural *scaled = multiply(next_a, convergent), *raw = add(scaled, before), *next_convergent = NULL;
    drop(divide(raw, n, &next_convergent));
    Natural *left = without_small_primes(next_q);
    if (left->count == 1 && left->limbs[0] == 1) {
      Relation *relation = malloc(sizeof(Relation));
      if (relation == NULL) exhausted = true;
      else *relation = (Relation){*kept, copy(next_q), copy(next_convergent), step}, *kept = relation;
    }
    Natural *done[] = {product, square, difference, above, scaled, raw, left, p, q, a, before};
    for (uint32_t i = 0; i < sizeof done / sizeof done[0]; ++i) drop(done[i]);
    p = next_p, q = next_q, a = next_a, before = convergent, convergent = next_convergent;
    if (q->count == 1 && q->limbs[0] == 1) break; /* the period's end */
  }
  sum = fold_natural(fold_natural(sum, q), convergent);
  Natural *last[] = {root, p, q, a, before, convergent};
  for (uint32_t i = 0; i < sizeof last / sizeof last[0]; ++i) drop(last[i]);
  return sum;
}

static void find_primes(void) {
  uint32_t count = 0;
  for (uint32_t candidate = 2; count < kPrimeCount; ++candidate) {
    bool prime = true;
    for (uint32_t i = 0; i < count; ++i) prime = prime && candidate % primes[i] != 0;
    if (prime) primes[count++] = (uint16_t)candidate;
  }
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  uint32_t sum = kFoldBegin;
  Relation *kept = NULL;
  exhausted = false;
  find_primes();
  for (uint32_t i = 0; i < kNumbers && !exhausted; ++i) {
    Natural *a = from_word(268435399ull + 1000 * i), *b = from_word(536870909ull), *n = multiply(a, b);
    sum = expand(n, part_of(kSteps, percent), &kept, sum);
    drop(a);
    drop(b);
    drop(n);
  }
  while (kept != NULL && !exhausted) {
    Relation *relation = kept;
    kept = relation->next;
    sum = fold_natural(fold_natural(fold(sum, relation->index), relation->residue), relation->convergent);
    drop(relation->residue);
    drop(relation->convergent);
    free(relation);
  }
  *checksum = sum;
  return !exhausted;
}

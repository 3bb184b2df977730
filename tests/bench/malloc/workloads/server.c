/* larson-like: a server's sessions. Each holds 1000 blocks of 8 to 1000 bytes and replaces one at random, again and again;
 * after an epoch the next session goes on, with blocks that were allocated long before.
 */
#include "bench.h"

enum { kSessions = 5, kBlocks = 1000, kMinSize = 8, kMaxSize = 1000, kRequestsAnEpoch = 20000 };

typedef struct Session {
  uint32_t *blocks[kBlocks];
  uint16_t sizes[kBlocks];
} Session;

static Session sessions[kSessions];

static bool put(Session *session, uint32_t at, Random *random) {
  const uint32_t size = random_between(random, kMinSize, kMaxSize);
  uint32_t *block = malloc(size);
  if (block == NULL) return false;
  block[0] = at;
  block[size / 4 - 1] = size; /* the last whole word: never the first, since there are two at least */
  session->blocks[at] = block;
  session->sizes[at] = (uint16_t)size;
  return true;
}

static bool as_put(const Session *session, uint32_t at) {
  const uint32_t *block = session->blocks[at];
  return block[0] == at && block[session->sizes[at] / 4 - 1] == session->sizes[at];
}

bool bench_program(uint32_t percent, uint32_t *checksum) {
  Random random = {0x1234567u};
  uint32_t sum = kFoldBegin;
  for (uint32_t i = 0; i < kSessions; ++i)
    for (uint32_t at = 0; at < kBlocks; ++at)
      if (!put(&sessions[i], at, &random)) return false;
  for (uint32_t epoch = 0, epochs = part_of(120, percent); epoch < epochs; ++epoch) {
    Session *session = &sessions[epoch % kSessions];
    for (uint32_t request = 0; request < kRequestsAnEpoch; ++request) {
      const uint32_t at = random_below(&random, kBlocks);
      if (!as_put(session, at)) return false;
      free(session->blocks[at]);
      if (!put(session, at, &random)) return false;
    }
    sum = fold(sum, session->sizes[epoch % kBlocks]);
  }
  for (uint32_t i = 0; i < kSessions; ++i)
    for (uint32_t at = 0; at < kBlocks; ++at) {
      if (!as_put(&sessions[i], at)) return false;
      sum = fold(sum, sessions[i].sizes[at]);
      free(sessions[i].blocks[at]);
    }
  *checksum = sum;
  return true;
}

// Blocks that one thread takes and another one frees. Only in programs with threads; the single-threaded ones compile
// none of it.
//
//   X1  A sender collects `burst` blocks and puts them into the receiver's inbox under its lock. What does not fit,
//       or would come to a thread that has ended, the sender frees itself.
//   X2  A receiver empties its inbox every kReceiveEvery operations, holds `held` blocks and frees the oldest ones
//       above that. It draws nothing for it: when blocks arrive changes no draw, so all requests and the checksum
//       stay the same (who frees a block does not).
#pragma once

#include "worker.hpp"

#if defined(BENCH_THREADS)
#include <pthread.h>

#include "threads_grammar.hpp"

inline constexpr std::uint32_t kReceiveEvery = 64;

struct Inbox {
  pthread_mutex_t lock;
  bool open;
  std::uint32_t count;
  Block blocks[kMostInbox];
};

/// What a worker needs of the exchange.
struct Courier {
  const Threads *threads;
  Inbox *inboxes;        // of all threads
  std::uint32_t number;  // of this thread
  std::uint32_t turn;    // to whom the last burst went, for senders to several
  std::uint32_t count;   // of blocks that wait to be sent
  Block blocks[kMostBurst];
  Ring<kMostHeld * 2> held;
};

inline void put(Worker &worker, Inbox &inbox) {
  Courier &courier = *worker.courier;
  pthread_mutex_lock(&inbox.lock);
  while (courier.count > 0 && inbox.open && inbox.count < kMostInbox) {
    inbox.blocks[inbox.count++] = courier.blocks[--courier.count];
  }
  pthread_mutex_unlock(&inbox.lock);
  while (courier.count > 0) worker.give(courier.blocks[--courier.count]);
}

/// Who gets the next burst; the thread itself when it sends to none.
inline std::uint32_t receiver_of(Courier &courier) {
  const std::uint32_t threads = courier.threads->count, own = courier.number;
  switch (courier.threads->way) {
    case Way::to_next: return (own + 1) % threads;
    case Way::from_first: return own == 0 ? 1 + courier.turn++ % (threads - 1) : own;
    case Way::to_first: return 0;
    case Way::to_all: return (own + 1 + courier.turn++ % (threads - 1)) % threads;
    default: return own;
  }
}

inline bool sends(const Courier &courier) {
  const Way way = courier.threads->way;
  if (courier.threads->count < 2 || way == Way::none) return false;
  return way == Way::from_first ? courier.number == 0 : way == Way::to_first ? courier.number != 0 : true;
}

inline void send(Worker &worker) {
  if (worker.courier->count > 0) put(worker, worker.courier->inboxes[receiver_of(*worker.courier)]);
}

/// True when the block leaves for another thread.
inline bool hand_over(Worker &worker, const Block &block) {
  Courier &courier = *worker.courier;
  if (!sends(courier) || worker.below(100) >= courier.threads->percent) return false;
  courier.blocks[courier.count++] = block;
  if (courier.count >= courier.threads->burst) send(worker);
  return true;
}

inline void receive(Worker &worker) {
  Courier &courier = *worker.courier;
  if (courier.threads->way == Way::none) return;
  Inbox &inbox = courier.inboxes[courier.number];
  pthread_mutex_lock(&inbox.lock);
  for (; inbox.count > 0 && !courier.held.full(); --inbox.count) courier.held.push(inbox.blocks[inbox.count - 1]);
  pthread_mutex_unlock(&inbox.lock);
  while (courier.held.count > courier.threads->held) worker.give(courier.held.pop_oldest());
}

/// The thread's program ends: nothing comes any more, and all that came is freed.
inline void close_exchange(Worker &worker) {
  Courier &courier = *worker.courier;
  send(worker);
  Inbox &inbox = courier.inboxes[courier.number];
  pthread_mutex_lock(&inbox.lock);
  inbox.open = false;
  pthread_mutex_unlock(&inbox.lock);
  while (inbox.count > 0) worker.give(inbox.blocks[--inbox.count]);
  while (courier.held.count > 0) worker.give(courier.held.pop_oldest());
}
#else
inline constexpr std::uint32_t kReceiveEvery = 1;
inline bool hand_over(Worker &, const Block &) { return false; }
inline void receive(Worker &) {}
#endif

/* A crowd: threads of every kind that the flags allow, all swapping blocks through the same places. Each fills a block, swaps
   it into a place, and checks and frees what was there, so most blocks are freed by another thread than the one that asked.

     page's or program's main thread   in turns, between its other events; not before the others have called malloc
     pthreads                          with -pthread
     Wasm Workers                      with -sWASM_WORKERS; they are terminated, nobody tells them
     AudioWorklet                      with -sAUDIO_WORKLET -DHG_AUDIO; in the callback that fills the output

   With -DHG_CONTENDED every block is too large for a cache, so every call takes the heap's lock.

   Argument: how many blocks in all. Prints one line of JSON when everybody is done. */
#include <emscripten/emscripten.h>
#include <heapglass/heapglass.h>
#include <heapglass/malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#endif
#ifdef __EMSCRIPTEN_WASM_WORKERS__
#include <emscripten/wasm_worker.h>
#endif
#ifdef HG_AUDIO
#include <emscripten/webaudio.h>
#endif

enum { kPlaces = 64, kLowWords = 64, kTurn = 2000, kHeadStart = 500, kStack = 64 * 1024 };
#ifdef HG_CONTENDED
enum { kUnused = 64 * 1024 }; /* bytes behind each block that nobody fills */
#else
enum { kUnused = 0 };
#endif
enum { kMain, kPthread, kWasmWorker, kAudioWorklet, kKinds };

#ifdef __EMSCRIPTEN_PTHREADS__
enum { kPthreads = 2 };
#else
enum { kPthreads = 0 };
#endif
#ifdef __EMSCRIPTEN_WASM_WORKERS__
enum { kWasmWorkers = 2 };
#else
enum { kWasmWorkers = 0 };
#endif
#ifdef HG_AUDIO
enum { kWorklets = 1 };
#else
enum { kWorklets = 0 };
#endif
enum { kMembers = 1 + kPthreads + kWasmWorkers + kWorklets };
static const unsigned members[kKinds] = {1, kPthreads, kWasmWorkers, kWorklets};

typedef struct Block {
  uint32_t words; /* behind this one, each of them equal to its seed plus its place */
  uint32_t seed;
  uint32_t data[];
} Block;

static _Atomic(Block *) places[kPlaces];
static atomic_uint swapped[kKinds], members_done[kKinds], wrong, refused;
static unsigned share; /* blocks of each member */
static unsigned left_to_main;
static uint32_t main_state = 1, low_words[kLowWords];
static size_t in_use_before;

static size_t in_use(void) {
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  return stats.in_use;
}

/* volatile, and no constant: address 0 is an address here */
static uint32_t memory_word(int number) {
  volatile uint32_t *volatile memory = NULL;
  return memory[number];
}

static void give_back(Block *block) {
  if (block == NULL) return;
  for (uint32_t i = 0; i < block->words; ++i) {
    if (block->data[i] != block->seed + i) atomic_fetch_add(&wrong, 1);
  }
  free(block);
}

static void swap_blocks(int kind, uint32_t *state, unsigned count) {
  for (unsigned round = 0; round < count; ++round) {
    *state = *state * 1664525u + 1013904223u;
    const uint32_t words = (*state >> 8) % ((*state >> 20) % 200 == 0 ? 5000 : 40);
    Block *const block = malloc(sizeof *block + words * sizeof(uint32_t) + kUnused);
    if (block == NULL) {
      atomic_fetch_add(&refused, 1);
      continue;
    }
    block->words = words;
    block->seed = *state;
    for (uint32_t i = 0; i < words; ++i) block->data[i] = *state + i;
    give_back(atomic_exchange(&places[(*state >> 4) % kPlaces], block));
  }
  atomic_fetch_add(&swapped[kind], count);
}

static void live(int kind, uint32_t seed) {
  uint32_t state = seed;
  for (unsigned left = share; left > 0;) {
    const unsigned count = left < kHeadStart ? left : kHeadStart;
    swap_blocks(kind, &state, count);
    left -= count;
  }
  atomic_fetch_add(&members_done[kind], 1);
}

#ifdef __EMSCRIPTEN_PTHREADS__
static pthread_t pthreads[kPthreads];

static void *live_as_pthread(void *argument) {
  live(kPthread, (uint32_t)(uintptr_t)argument);
  return NULL;
}
static void start_pthreads(void) {
  for (uintptr_t i = 0; i < kPthreads; ++i) pthread_create(&pthreads[i], NULL, live_as_pthread, (void *)(i + 10));
}
static void end_pthreads(void) {
  for (int i = 0; i < kPthreads; ++i) pthread_join(pthreads[i], NULL);
}
/* Another thread may be the one that frees an ended thread's stack. */
static void let_stacks_be_freed(void) {
  for (int i = 0; i < 100 && in_use() > in_use_before; ++i) usleep(10000);
}
/* With -sPROXY_TO_PTHREAD the page's own thread, which lives on, frees what pthreads had, and has it in its cache. */
static void flush_pages_thread(void) {
  MAIN_THREAD_EM_ASM({ wasmTable.get($0)(); }, hg_malloc_flush);
}
#else
static void start_pthreads(void) {}
static void end_pthreads(void) {}
static void let_stacks_be_freed(void) {}
static void flush_pages_thread(void) {}
#endif

#ifdef __EMSCRIPTEN_WASM_WORKERS__
static _Alignas(16) char worker_stacks[kWasmWorkers][kStack]; /* with the worker's variables */

static void live_as_wasm_worker(int number) { live(kWasmWorker, (uint32_t)number + 20); }
static void start_wasm_workers(void) {
  for (int i = 0; i < kWasmWorkers; ++i) {
    const emscripten_wasm_worker_t worker = emscripten_create_wasm_worker(worker_stacks[i], kStack);
    emscripten_wasm_worker_post_function_vi(worker, live_as_wasm_worker, i);
  }
}
static void end_wasm_workers(void) { /* what their variables were is anything from now on */
  for (int i = 0; i < kWasmWorkers; ++i) emscripten_terminate_wasm_worker(i + 1);
  memset(worker_stacks, 0x55, sizeof worker_stacks);
}
#else
static void start_wasm_workers(void) {}
static void end_wasm_workers(void) {}
#endif

#ifdef HG_AUDIO
enum { kPerCallback = 200 };
static _Alignas(16) char audio_stack[kStack];

static bool process(int inputs, const AudioSampleFrame *input, int outputs, AudioSampleFrame *output, int parameters,
                    const AudioParamFrame *values, void *user) {
  static uint32_t state = 30;
  static unsigned done;
  if (done >= share) return false;
  const unsigned count = share - done < kPerCallback ? share - done : kPerCallback;
  swap_blocks(kAudioWorklet, &state, count);
  done += count;
  if (done >= share) atomic_fetch_add(&members_done[kAudioWorklet], 1);
  return true;
}
static void processor_made(EMSCRIPTEN_WEBAUDIO_T context, bool made, void *user) {
  int channels[] = {1};
  EmscriptenAudioWorkletNodeCreateOptions options = {0, 1, channels};
  const int node = made ? emscripten_create_wasm_audio_worklet_node(context, "crowd", &options, process, NULL) : 0;
  if (node != 0) EM_ASM({ emscriptenGetAudioObject($0).connect(emscriptenGetAudioObject($1).destination) }, node, context);
}
static void worklet_started(EMSCRIPTEN_WEBAUDIO_T context, bool started, void *user) {
  WebAudioWorkletProcessorCreateOptions options = {.name = "crowd"};
  if (started) emscripten_create_wasm_audio_worklet_processor_async(context, &options, processor_made, NULL);
}
static void start_audio(void) {
  const EMSCRIPTEN_WEBAUDIO_T context = emscripten_create_audio_context(NULL);
  emscripten_start_wasm_audio_worklet_thread_async(context, audio_stack, kStack, worklet_started, NULL);
}
#else
static void start_audio(void) {}
#endif

static void report(void) {
  end_pthreads();
  end_wasm_workers();
  for (int i = 0; i < kPlaces; ++i) give_back(atomic_exchange(&places[i], NULL));
  let_stacks_be_freed();
  hg_malloc_stats stats;
  hg_malloc_get_stats(&stats);
  const size_t cached = stats.cached;
  hg_malloc_flush();
  flush_pages_thread();
  hg_malloc_get_stats(&stats);
  const char *const damage = hg_heap_check(NULL);
  unsigned changed = 0;
  for (int i = 0; i < kLowWords; ++i) changed += memory_word(i) != low_words[i];
  printf("{\"main\":%u,\"pthreads\":%u,\"wasmWorkers\":%u,\"audioWorklet\":%u,\"wrong\":%u,\"refused\":%u,", swapped[kMain],
         swapped[kPthread], swapped[kWasmWorker], swapped[kAudioWorklet], wrong, refused);
  printf("\"lowWordsChanged\":%u,\"cachedByMain\":%d,\"cachedAtEnd\":%u,\"leftInUse\":%d,\"damage\":\"%s\"}\n", changed, cached != 0,
         (unsigned)stats.cached, (int)(stats.in_use - in_use_before), damage != NULL ? damage : "");
  fflush(stdout);
}

/* The main thread's part of the work; whether everybody is done. */
static int take_turn(void) {
  unsigned done = 0, all = 0;
  for (int kind = kPthread; kind < kKinds; ++kind) {
    if (members[kind] != 0 && swapped[kind] < kHeadStart) return 0; /* the others call malloc first */
    done += members_done[kind];
    all += members[kind];
  }
  const unsigned count = left_to_main < kTurn ? left_to_main : kTurn;
  swap_blocks(kMain, &main_state, count);
  left_to_main -= count;
  return left_to_main == 0 && done == all;
}

/* Wasm Workers and worklets begin only while the main thread is in its event loop. */
#if defined(__EMSCRIPTEN_WASM_WORKERS__) || defined(HG_AUDIO)
static void run(void *unused) {
  if (take_turn()) {
    report();
    EM_ASM({ if (typeof window === 'undefined') process.exit(0); });
  } else {
    emscripten_async_call(run, NULL, 0);
  }
}
#else
static void run(void *unused) {
  while (!take_turn()) {
  }
  report();
}
#endif

int main(int count, char **arguments) {
  for (int i = 0; i < kLowWords; ++i) low_words[i] = memory_word(i);
  in_use_before = in_use();
  left_to_main = share = (count > 1 ? (unsigned)atoi(arguments[1]) : 100000) / kMembers;
  start_pthreads();
  start_wasm_workers();
  start_audio();
  run(NULL);
  return 0;
}

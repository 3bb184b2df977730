// Changing the size of a block, and where a block goes that has to move because it grows.
//
//   | block | room ........ |        A block that moves is given a larger chunk of free memory that is there already, cut in
//                                    two: the rest is its room, a chunk in use that belongs to the front. The next growth
//                                    takes from the room, in place. When nothing else fits, rooms are the first to go.
//
//  R1  Order: in place (its room, the free chunk behind, top; at the end of the heap by extending it, when linear memory need not
//      grow); a move inside the memory there is, lists emptied for it; extending all the same; a move that extends.
//  R2  A block that moves gets a room when it grows to kRoomMin bytes or more: smaller ones are copied sooner than the holes
//      between them are filled. A room is at most kRoomFactor times the block and half of the largest free chunk, so others find
//      space. At most kRooms rooms wait; the oldest becomes free.
//  R3  So a vector that doubles is copied at every fourth or fifth step, and vectors that grow in turn do not block each other.
#include "front/front.hpp"
#include "front/held.hpp"
#include "front/held_guard.hpp"
#include "trace/probes.hpp"

namespace heapglass {

namespace {

constexpr Word kRoomFactor = 16;
constexpr Word kRoomMin = 64 * 1024;
constexpr unsigned kRooms = 8;

void *g_rooms[kRooms];  // under the heap's lock
unsigned g_next_room = 0;

void end_room(Heap &heap, void *&room) {
  void *const mem = room;
  room = nullptr;
  release_waiting(heap, mem, kRoomList);
}

void keep_room(Heap &heap, void *mem) {
  void *&place = g_rooms[g_next_room++ % kRooms];
  if (place != nullptr) end_room(heap, place);
  place = mem;
  mark_held(mem, thread_number());
  HG_PROBE(chunk_held, heap.id(), kRoomList, chunk_of(mem), held_size(mem), thread_number());
}

// Cuts the block to `size`; the rest, when it can be a chunk, is its room.
void cut_with_room(Heap &heap, void *mem, Word size) {
  if (held_size(mem) - size >= kMinChunk) keep_room(heap, heap.split_held(mem, size));
}

// The block takes its room, if it has one that is large enough.
bool grow_into_room(Heap &heap, void *mem, Word size) {
  const Word have = held_size(mem);
  void *const behind = at_offset<void>(mem, have);
  for (void *&room : g_rooms) {
    if (room != behind) continue;
    if (have + held_size(room) < size) {
      end_room(heap, room);  // then it joins what is free behind it
      return false;
    }
    HG_PROBE(held_ended, heap.id(), kRoomList, chunk_of(room), held_size(room), holder_of(room));
    unmark_held(room);
    room = nullptr;
    heap.join_next_held(mem);
    cut_with_room(heap, mem, size);
    return true;
  }
  return false;
}

void *move_target(Heap &heap, Word request) {
  const Word size = chunk_size_for(request);
  if (size >= kRoomMin) {
    const Word most = heap.largest_free() / 2 / kRoomFactor / kAlign * kAlign;
    const Word wished = (size < most ? size : most) * kRoomFactor;
    if (wished >= 2 * size) {
      void *const mem = heap.allocate(wished - kWord);
      if (mem != nullptr) {
        cut_with_room(heap, mem, size);
        return mem;
      }
    }
  }
  return allocate_told(heap, request);
}

bool grow_in_place(Heap &heap, void *mem, Word request, Word size) {
  if (grow_into_room(heap, mem, size)) return true;
  if (!heap.may_grow_in_place(mem)) return false;
  heap.set_frozen(!heap.has_room_without_growth(mem, size));
  const bool grown = heap.reallocate_in_place(mem, request) != nullptr;
  heap.set_frozen(false);
  return grown;
}

void *move(Heap &heap, void *mem, void *target) {
  if (target == nullptr) return nullptr;
  __builtin_memcpy(target, mem, Heap::usable_size(mem));  // it grows, so all of it
  deallocate_told(heap, mem);
  return target;
}

void *grow(Heap &heap, void *mem, Word request) {
  if (grow_in_place(heap, mem, request, chunk_size_for(request))) return mem;
  heap.set_frozen(true);
  void *target = move_target(heap, request);
  heap.set_frozen(false);
  if (target == nullptr) {
    if (heap.may_grow_in_place(mem) && heap.reallocate_in_place(mem, request) != nullptr) return mem;
    target = allocate_told(heap, request);
  }
  return move(heap, mem, target);
}

}  // namespace

Word room_bytes() {
  Word bytes = 0;
  for (const void *room : g_rooms) bytes += room != nullptr ? held_size(room) : 0;
  return bytes;
}

bool release_rooms(Heap &heap) {
  bool any = false;
  for (void *&room : g_rooms) {
    if (room == nullptr) continue;
    end_room(heap, room);
    any = true;
  }
  return any;
}

void *front_reallocate(Heap &heap, void *mem, Word request) {
  HeldGuard::check_returned(heap, mem);
  HG_PROBE(op_begun, heap.id(), HG_OP_reallocate, mem, request, 0);
  void *result;
  const Word have = held_size(mem);
  if (request > kMaxRequest) {
    heap.set_status(HG_STATUS_too_large);
    result = nullptr;
  } else if (const Word size = chunk_size_for(request); size > have) {
    result = grow(heap, mem, request);
  } else {
    result = mem;
    if (have - size > have / kStepsOfPower) heap.reallocate_in_place(mem, request);
  }
  HG_PROBE(op_ended, heap.id(), HG_OP_reallocate, result, Heap::usable_size(result), heap.status());
  return result;
}

}  // namespace heapglass

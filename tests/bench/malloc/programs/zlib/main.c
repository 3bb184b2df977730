/* zlib as a store of compressed files uses it: files are compressed into members of their own, read back at random in
 * pieces, replaced by larger or smaller ones, and served again under changing settings. */
#include <zlib.h>

#include "../driver.h"

enum { kFiles = 400, kRequests = 2600, kMaxFile = 40000, kPiece = 2048 };

typedef struct Member {
  unsigned char *bytes; /* of its exact size */
  uint32_t size, plain_size, plain_sum;
} Member;

static Member members[kFiles];

static Text make_file(void) {
  Text file = {NULL, 0, 0};
  const size_t size = 100 + random_below(random_below(6) == 0 ? kMaxFile : 4000);
  while (file.size < size) append_formatted(&file, "%s %u ", random_word(), random_below(5000));
  return file;
}

static void store(Member *member) {
  Text file = make_file(), out = {NULL, 0, 0};
  z_stream stream = {0};
  const int level = 1 + (int)random_below(6), window = 10 + (int)random_below(6), memory = 4 + (int)random_below(5);
  must(deflateInit2(&stream, level, Z_DEFLATED, window + 16, memory, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
  unsigned char piece[kPiece];
  stream.next_in = (Bytef *)file.start;
  stream.avail_in = (uInt)file.size;
  int result;
  do {
    stream.next_out = piece;
    stream.avail_out = kPiece;
    result = deflate(&stream, Z_FINISH);
    append_bytes(&out, piece, kPiece - stream.avail_out);
  } while (result == Z_OK);
  must(result == Z_STREAM_END, "deflate");
  deflateEnd(&stream);
  free(member->bytes);
  *member = (Member){taken(realloc(out.start, out.size)), (uint32_t)out.size, (uint32_t)file.size,
                     sum_of(file.start, file.size)};
  free(file.start);
}

static uint32_t load(const Member *member) {
  Text file = {NULL, 0, 0};
  z_stream stream = {0};
  must(inflateInit2(&stream, 15 + 16) == Z_OK, "inflateInit2");
  unsigned char piece[kPiece];
  stream.next_in = member->bytes;
  stream.avail_in = member->size;
  int result;
  do {
    stream.next_out = piece;
    stream.avail_out = kPiece;
    result = inflate(&stream, Z_NO_FLUSH);
    append_bytes(&file, piece, kPiece - stream.avail_out);
  } while (result == Z_OK);
  must(result == Z_STREAM_END, "inflate");
  inflateEnd(&stream);
  const uint32_t sum = sum_of(file.start, file.size);
  must(file.size == member->plain_size && sum == member->plain_sum, "the file came back changed");
  free(file.start);
  return sum;
}

int main(void) {
  uint32_t sum = 0, bytes = 0;
  for (int i = 0; i < kFiles; ++i) store(&members[i]);
  for (int i = 0; i < kRequests; ++i) {
    Member *member = &members[random_below(kFiles)];
    if (random_below(4) == 0) store(member);
    else sum = sum * 31 + load(member);
  }
  for (int i = 0; i < kFiles; ++i) {
    bytes += members[i].size;
    free(members[i].bytes);
  }
  printf("files %d, bytes %u, sum %u\n", kFiles, bytes, sum);
  return 0;
}

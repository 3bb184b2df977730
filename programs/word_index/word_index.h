/* word_index: which words a text has, how often, and where. A program on heapglass, to have a real heap to look at.
 *
 * The whole interface; compiles as C99 and C++20. One declaration a line: the export list of the wasm build is made from
 * them. There is one index a program. All its memory comes from the default heap, each kind in its own way:
 *
 *     the text       one array of bytes that grows by expansion commands     (hg_heap_command)
 *     buckets        one array of addresses that grows by commands           (hg_heap_command)
 *     entries        one node a different word, from an adaptive pool        (hg_pool_allocate)
 *     positions      chunks of positions, taken in bursts from the heap      (hg_heap_burst_nodes)
 *     answers        one array that grows by commands, for find and top      (hg_heap_command)
 *
 * What a word is, byte by byte, so that any other index can give equal answers:
 *
 *     word byte   A-Z, a-z, 0-9 and every byte >= 0x80
 *     word        a longest run of word bytes, in which single apostrophes (0x27) may stand between two word bytes
 *
 *   As a regular expression over bytes:  [A-Za-z0-9\x80-\xff]+(?:'[A-Za-z0-9\x80-\xff]+)*   matched from left to right.
 *   Two words are equal when their bytes are equal after A-Z became a-z; no other byte is changed, so "\xc3\x84" (an A
 *   with two dots) and its small form differ. A position is the byte offset of a word's first byte in all the text fed
 *   so far, from 0. A word may go across pieces: it ends at a byte that ends it, or at word_index_finish().
 *
 * How to use it: begin; then for each piece of text buffer(size), write there, feed(size); then finish; then ask; then
 * end. Out of memory never breaks the index: what is not indexed yet stays pending, and the next feed goes on with it.
 */
#ifndef WORD_INDEX_H
#define WORD_INDEX_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* return codes */
#define WORD_INDEX_OK 0u
#define WORD_INDEX_OUT_OF_MEMORY 1u /* the heap could not give what was needed; everything done before is kept */
#define WORD_INDEX_NOT_BEGUN 2u     /* begin was not called, or end was */
#define WORD_INDEX_BAD_ARGUMENT 3u  /* more bytes than buffer() was last asked for, or begun twice */

/* What word_index_find gives: the number of positions, then as many positions, ascending. */
typedef struct word_index_places {
  uint32_t count;
  uint32_t positions[1]; /* `count` of them, not 1 */
} word_index_places;

/* One word of word_index_top: where it stands first, its size in bytes and how often it occurs. The bytes are those of
 * the text, with capital letters as they stand there: word_index_text() + position. */
typedef struct word_index_row {
  uint32_t position;
  uint32_t size;
  uint32_t count;
} word_index_row;

/* What word_index_top gives: the number of rows, then as many rows. */
typedef struct word_index_rows {
  uint32_t count;
  word_index_row rows[1]; /* `count` of them, not 1 */
} word_index_rows;

/* Makes an empty index. */
uint32_t word_index_begin(void);
/* Where the next `size` bytes of text may be written: behind the text, in the same array. Also a place to write a word
 * for word_index_find into. NULL when out of memory or when the text would pass 2^32 - 1 bytes. Valid until the next
 * call of buffer, feed, finish or end. */
void *word_index_buffer(uint32_t size);
/* Takes `size` of the bytes written there as text and indexes them. 0 bytes: only goes on with what is pending. */
uint32_t word_index_feed(uint32_t size);
/* Ends the last word and gives spare memory back. What is fed later begins a new word. */
uint32_t word_index_finish(void);
/* The places of a word (any case); count 0 when the text does not have it. NULL when out of memory or not begun. Valid
 * until the next call of find, top or end. */
const word_index_places *word_index_find(const void *word, uint32_t size);
/* The `n` most frequent words: by count, most first; among equals by their lower-cased bytes, as unsigned numbers, a word
 * before its extensions. NULL when out of memory or not begun. Valid until the next call of find, top or end. */
const word_index_rows *word_index_top(uint32_t n);
/* Different words indexed. */
uint32_t word_index_count(void);
/* Occurrences indexed: the sum of all counts. */
uint32_t word_index_total(void);
/* The text: its first byte (NULL when there is none yet) and its size. The address changes when the array moves. */
const void *word_index_text(void);
uint32_t word_index_text_size(void);
/* Bytes at the end of the text that are not decided yet: the word that may go on, or what waits for memory. */
uint32_t word_index_pending(void);
/* Gives all memory back. Nothing when not begun. */
void word_index_end(void);

#ifdef __cplusplus
}
#endif

#endif

/* What compilers call for 128-bit products, which a size_t of 64 bits needs to see an overflow; else from compiler-rt. */
typedef int Wide __attribute__((mode(TI)));
typedef unsigned long long Word;

Wide __multi3(Wide a, Wide b) {
  const Word half = 0xffffffffu, x = (Word)a, y = (Word)b;
  const Word first = (x & half) * (y & half);
  const Word second = (x >> 32) * (y & half) + (first >> 32);
  const Word third = (x & half) * (y >> 32) + (second & half);
  const Word high = (x >> 32) * (y >> 32) + (second >> 32) + (third >> 32);
  return ((Wide)(high + (Word)(a >> 64) * y + x * (Word)(b >> 64)) << 64) | (x * y);
}

// What a build may leave out. The profile `small` (HG_PROFILE_SMALL=1) is the malloc of programs that count bytes of code: the
// same heap with the same layout, checks and commands, but without what is there for speed alone.
#pragma once

namespace heapglass {

#if defined(HG_PROFILE_SMALL) && HG_PROFILE_SMALL
inline constexpr bool kFastProfile = false;
#else
inline constexpr bool kFastProfile = true;
#endif

// The malloc of a program (the archives libheapglass-malloc-*): its heap shares linear memory with nobody but sbrk.
#if defined(HG_LIBC_MALLOC) && HG_LIBC_MALLOC
inline constexpr bool kLibcMalloc = true;
#else
inline constexpr bool kLibcMalloc = false;
#endif

}  // namespace heapglass

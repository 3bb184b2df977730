# Boost's real containers on the adaptors, once for each version of Boost whose headers lie in build/boost/<version> (put
# there by tools/setup.mjs), or with the headers in $BOOST_ROOT. Nothing of Boost is linked: its containers are headers. A version takes
# a minute and more to compile with the sanitizers: daily the same cases run in wasm (wasm_boost.test.ts).
file(GLOB boost_tests_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER boost_tests_sources EXCLUDE REGEX "/(wasm_[a-z_]*|string_shrinks)\\.cpp$")

file(GLOB boost_roots ${CMAKE_SOURCE_DIR}/build/boost/*/include)
if(NOT boost_roots AND DEFINED ENV{BOOST_ROOT})
  foreach(place $ENV{BOOST_ROOT}/include $ENV{BOOST_ROOT})
    if(EXISTS ${place}/boost/container/vector.hpp)
      list(APPEND boost_roots ${place})
    endif()
  endforeach()
endif()
if(NOT boost_roots)
  message(STATUS "no headers of Boost: its containers are not tested, nor the experiments built (node tools/setup.mjs)")
endif()

if(NOT hg_every)
  return()
endif()
list(SORT boost_roots COMPARE NATURAL)

# Asking of every pointer whether it is null or misaligned is two thirds of compiling (14.1 s against 5.4 for one file, gcc 12). Of all
# versions the first one asks; what is asked of the others differs in Boost's own code alone.
set(boost_fewer_checks "")
foreach(root ${boost_roots})
  file(STRINGS ${root}/boost/version.hpp line REGEX "^#define BOOST_LIB_VERSION")
  string(REGEX REPLACE ".*\"([0-9_]+)\".*" "\\1" boost_version "${line}")
  hg_test(boost_${boost_version}_tests trace ${boost_tests_sources})
  target_include_directories(boost_${boost_version}_tests SYSTEM PRIVATE ${root})
  target_compile_options(boost_${boost_version}_tests PRIVATE ${boost_fewer_checks})
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # Boost's own allocator is not linked
  try_compile(boost_${boost_version}_string_shrinks
    ${CMAKE_BINARY_DIR}/boost_${boost_version} ${CMAKE_CURRENT_LIST_DIR}/string_shrinks.cpp
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${root} CXX_STANDARD 20 OUTPUT_VARIABLE errors)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  if(NOT boost_${boost_version}_string_shrinks)
    if(errors AND NOT errors MATCHES "priv_storage") # none in the cache's answer
      message(FATAL_ERROR "${errors}")
    endif()
    message(STATUS "Boost ${boost_version}: basic_string::shrink_to_fit does not compile with version 2, not even with Boost's own allocator: not tested")
  endif()
  target_compile_definitions(boost_${boost_version}_tests PRIVATE
    HG_BOOST_STRING_SHRINKS=$<BOOL:${boost_${boost_version}_string_shrinks}>)
  if(HG_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang AND boost_version STREQUAL "1_74")
    # Its deque adds an offset to a null pointer (deque.hpp:1804), which clang's check of pointer arithmetic takes for a fault.
    target_compile_options(boost_${boost_version}_tests PRIVATE -fno-sanitize=pointer-overflow)
  endif()
  if(HG_SANITIZE)
    set(boost_fewer_checks -fno-sanitize=null,alignment)
  endif()
endforeach()

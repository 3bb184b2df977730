# find_package(heapglass CONFIG REQUIRED), with -Dheapglass_DIR=$(npx heapglass --cmake-dir)
#
#   heapglass::malloc                      the program's malloc, profile fast
#   heapglass::malloc_<profile>            small, hardened, checked, trace; freestanding (without Emscripten)
#   heapglass::malloc_threads              for programs compiled with -pthread; also malloc_{hardened,checked,trace}_threads
#   heapglass::heap                        the library alone, for #include <heapglass/...>; also heap_trace, heap_checked,
#                                          heap_threads
#
# Each target brings its archive, the headers and the flags. Link one malloc, or one heap.
cmake_minimum_required(VERSION 3.13)

get_filename_component(heapglass_HOME "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

# heapglass_target(<name> <archive> <link flags> <compile flags>): flags are one string each, so that none of a pair is dropped.
function(heapglass_target name archive link_flags compile_flags)
  if(TARGET heapglass::${name})
    return()
  endif()
  add_library(heapglass::${name} INTERFACE IMPORTED)
  target_include_directories(heapglass::${name} INTERFACE "${heapglass_HOME}/include")
  target_link_libraries(heapglass::${name} INTERFACE "${heapglass_HOME}/${archive}")
  if(NOT link_flags STREQUAL "")
    target_link_options(heapglass::${name} INTERFACE "SHELL:${link_flags}")
  endif()
  if(NOT compile_flags STREQUAL "")
    target_compile_options(heapglass::${name} INTERFACE "SHELL:${compile_flags}")
  endif()
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/heapglass-targets.cmake") # written when the package is built: what --ldflags and --cflags print

if(NOT heapglass_FIND_QUIETLY AND NOT CMAKE_SYSTEM_NAME STREQUAL "Emscripten" AND NOT CMAKE_C_COMPILER MATCHES "em(cc|\\+\\+)"
   AND NOT CMAKE_CXX_COMPILER MATCHES "em(cc|\\+\\+)")
  message(STATUS "heapglass: the archives are WebAssembly; this build is for ${CMAKE_SYSTEM_NAME} (emcmake cmake ... builds for wasm; "
                 "with another wasm toolchain link heapglass::malloc_freestanding)")
endif()

# Fuzzing: each target plays bytes as operations (targets.hpp). Always: the corpus replayed, as a test program. With
# HG_FUZZ (preset native-fuzz, clang): libFuzzer programs fuzz_<target>, run by tools/fuzz.mjs.
option(HG_FUZZ "libFuzzer programs of tests/fuzz; needs clang" OFF)

set(fuzz_here ${CMAKE_CURRENT_LIST_DIR})
set(fuzz_targets heap commands_and_bursts pools small malloc memory_pools_and_managers)
file(GLOB fuzz_play CONFIGURE_DEPENDS ${fuzz_here}/*_target.cpp ${fuzz_here}/limited_memory.cpp)
# The contract's operations and its twin, without its generator and its programs.
foreach(part burst_operations chunk_operations command_operation heap_operations malloc_operations pool_operations regions report state
             twin walk_compare)
  list(APPEND fuzz_play ${fuzz_here}/../contract/${part}.cpp)
endforeach()

if(NOT HG_FUZZ)
  hg_test(fuzz_replay_tests checked ${fuzz_here}/replay_test.cpp ${fuzz_play})
  file(GLOB fuzz_target_sources CONFIGURE_DEPENDS ${fuzz_here}/*_target.cpp)
  set_source_files_properties(${fuzz_target_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # each names its parts alike
  target_include_directories(fuzz_replay_tests PRIVATE ${fuzz_here} ${fuzz_here}/../contract)
  target_compile_definitions(fuzz_replay_tests PRIVATE HG_FUZZ_CORPUS="${fuzz_here}/corpus")
  return()
endif()

if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "HG_FUZZ needs clang: use the preset native-fuzz")
endif()
set(fuzz_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_library(fuzz_play STATIC ${core_sources} ${fuzz_play})
target_include_directories(fuzz_play PUBLIC ${fuzz_here} ${fuzz_here}/../contract ${fuzz_here}/.. core/include core/src)
target_compile_definitions(fuzz_play PUBLIC HG_TRACE=1 HG_CHECKED=1)
target_compile_options(fuzz_play PUBLIC ${fuzz_sanitizers} -fsanitize=fuzzer-no-link)
foreach(target ${fuzz_targets})
  add_executable(fuzz_${target} ${fuzz_here}/entry.cpp)
  target_compile_definitions(fuzz_${target} PRIVATE HG_FUZZ_TARGET=${target})
  target_link_libraries(fuzz_${target} PRIVATE fuzz_play)
  target_link_options(fuzz_${target} PRIVATE ${fuzz_sanitizers} -fsanitize=fuzzer)
endforeach()

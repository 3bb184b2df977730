# Every program of the experiments, natively: each row twice, small, in processes of their own. The figures of the
# document are taken in wasm; here it is shown that the programs are right and that their counts repeat.
file(GLOB experiment_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
file(GLOB experiment_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/experiments/*.cpp)
file(GLOB experiment_boost ${CMAKE_SOURCE_DIR}/build/boost/*/include)
if(experiment_boost)
  list(GET experiment_boost 0 experiment_boost)
endif()
if(NOT experiment_boost AND DEFINED ENV{BOOST_ROOT})
  set(experiment_boost $ENV{BOOST_ROOT}/include $ENV{BOOST_ROOT})
endif()
if(NOT experiment_boost)  # the experiments of the documents A use its containers
  list(FILTER experiment_sources EXCLUDE REGEX "/ae[0-9][a-z_0-9]*\\.cpp$")
endif()

if(NOT hg_every AND NOT HG_TSAN) # daily they run in wasm, and those with threads natively under ThreadSanitizer
  return()
endif()

# Rows without threads on the plain build, rows with threads on the one made for them.
set(experiment_programs experiments_tests threads_experiments_tests)
hg_test(experiments_tests release ${experiment_tests} ${experiment_sources})
hg_test(threads_experiments_tests threads ${experiment_tests} ${experiment_sources})
foreach(name ${experiment_programs})
  target_include_directories(${name} SYSTEM PRIVATE ${experiment_boost})
endforeach()

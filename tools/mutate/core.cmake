# The build that judges mutants (core_build.mjs): the project's programs, and besides one for each folder of tests/core that
# core_tests holds, so that the tests nearest to a mutant are built and run alone. The library is compiled folder by folder: a
# change of chunk.hpp compiles ten files a variant, not fifty.
#
#   cmake -DCMAKE_PROJECT_heapglass_INCLUDE=<this file>      included by project(); its work is done when all targets are there
function(hg_near_programs)
  foreach(source ${core_sources})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
  foreach(variant release trace checked threads threads_trace threads_hardened hardened)
    set_target_properties(heapglass_core_${variant} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()

  set(folders "")
  foreach(source ${core_tests})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    list(APPEND folders ${folder})
    list(APPEND ${folder}_sources ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    hg_test(near_${folder}_tests trace ${${folder}_sources})
  endforeach()
endfunction()

cmake_language(DEFER CALL hg_near_programs)

# OpenBLAS as OpenBlas::OpenBlas. The build with threads of its own (pthreads) is wanted: it alone may be called by
# several ranks at once. Debian keeps each build in a folder of its own; elsewhere set OpenBlas_LIBRARY and
# OpenBlas_INCLUDE_DIR where the search fails.
include(FindPackageHandleStandardArgs)

find_library(OpenBlas_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread)
find_path(OpenBlas_INCLUDE_DIR NAMES cblas.h PATH_SUFFIXES openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread openblas)
mark_as_advanced(OpenBlas_LIBRARY OpenBlas_INCLUDE_DIR)

find_package_handle_standard_args(OpenBlas
  REQUIRED_VARS OpenBlas_LIBRARY OpenBlas_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian and Ubuntu: apt install libopenblas-pthread-dev")

if(OpenBlas_FOUND AND NOT TARGET OpenBlas::OpenBlas)
  add_library(OpenBlas::OpenBlas UNKNOWN IMPORTED)
  set_target_properties(OpenBlas::OpenBlas PROPERTIES
    IMPORTED_LOCATION ${OpenBlas_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OpenBlas_INCLUDE_DIR})
endif()

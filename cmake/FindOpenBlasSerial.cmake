# OpenBLAS without threads of its own, as OpenBlas::serial: every rank computes on one thread, and a threaded build would
# take the cores of the other ranks. Debian keeps each build in a folder of its own. Elsewhere set
# OpenBlasSerial_LIBRARY and OpenBlasSerial_INCLUDE_DIR.
include(FindPackageHandleStandardArgs)

find_library(OpenBlasSerial_LIBRARY NAMES libopenblas.so openblas
  PATHS /usr/lib /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES openblas-serial NO_DEFAULT_PATH)
find_path(OpenBlasSerial_INCLUDE_DIR NAMES cblas.h
  PATHS /usr/include /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES openblas-serial NO_DEFAULT_PATH)
mark_as_advanced(OpenBlasSerial_LIBRARY OpenBlasSerial_INCLUDE_DIR)

find_package_handle_standard_args(OpenBlasSerial
  REQUIRED_VARS OpenBlasSerial_LIBRARY OpenBlasSerial_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian and Ubuntu: apt install libopenblas-serial-dev")

if(OpenBlasSerial_FOUND AND NOT TARGET OpenBlas::serial)
  add_library(OpenBlas::serial UNKNOWN IMPORTED)
  set_target_properties(OpenBlas::serial PROPERTIES
    IMPORTED_LOCATION ${OpenBlasSerial_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OpenBlasSerial_INCLUDE_DIR})
endif()

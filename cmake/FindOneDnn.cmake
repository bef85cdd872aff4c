# oneDNN, as OneDnn::OneDnn. The package's own configuration is not used: Debian's asks for OpenCL headers, which a
# product on the CPU does not need.
include(FindPackageHandleStandardArgs)

find_library(OneDnn_LIBRARY NAMES dnnl)
find_path(OneDnn_INCLUDE_DIR NAMES oneapi/dnnl/dnnl.hpp)
mark_as_advanced(OneDnn_LIBRARY OneDnn_INCLUDE_DIR)

find_package_handle_standard_args(OneDnn
  REQUIRED_VARS OneDnn_LIBRARY OneDnn_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian and Ubuntu: apt install libdnnl-dev")

if(OneDnn_FOUND AND NOT TARGET OneDnn::OneDnn)
  add_library(OneDnn::OneDnn UNKNOWN IMPORTED)
  set_target_properties(OneDnn::OneDnn PROPERTIES
    IMPORTED_LOCATION ${OneDnn_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OneDnn_INCLUDE_DIR})
endif()

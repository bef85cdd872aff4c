# What meshmul stands on; docs/dependencies.md says why each was taken.
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(OpenBlas REQUIRED)
find_package(OneDnn)
if(OneDnn_FOUND)
  # oneDNN's threads are OpenMP's; meshmul only tells it to use one.
  find_package(OpenMP REQUIRED COMPONENTS CXX)
else()
  message(STATUS "Without oneDNN: bf16 and i8 are multiplied in blocks of f32 and i32")
endif()
# Debian's builds of OpenBLAS lie in folders that only the run path of a program names.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# The backend cuda. It is left out where there is no compiler for it, and under sanitizers, which cannot look into it; what it shares
# with the host is built always.
set(MESHMUL_CUDA AUTO CACHE STRING "Build the backend cuda: ON, OFF, or AUTO: if there is a CUDA compiler")
set(MESHMUL_HAS_CUDA OFF)
if(MESHMUL_CUDA STREQUAL "AUTO" AND MESHMUL_SANITIZE)
  message(STATUS "Without the backend cuda: sanitizers cannot look into it")
elseif(MESHMUL_CUDA)
  include(CheckLanguage)
  # The instructions by which the product kernel multiplies and copies are those of this architecture alone.
  set(CMAKE_CUDA_ARCHITECTURES 90a-real)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      # CMake 3.25 does not know that nvcc can be asked for C++20.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    find_package(CUDAToolkit 12.8 REQUIRED)
    set(MESHMUL_HAS_CUDA ON)
  elseif(MESHMUL_CUDA STREQUAL "AUTO")
    message(STATUS "Without the backend cuda: there is no CUDA compiler")
  else()
    message(FATAL_ERROR "MESHMUL_CUDA is ${MESHMUL_CUDA}, and there is no CUDA compiler")
  endif()
endif()

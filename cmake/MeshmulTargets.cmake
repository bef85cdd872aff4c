# The functions that the lists in src/, tests/, examples/ and bench/ are written with.

# Warnings, sanitizers and include folders of every target of ours.
add_library(meshmul_options INTERFACE)
target_compile_options(meshmul_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion>)
# nvcc warns of conversions that templates bring and nobody calls.
target_compile_options(meshmul_options INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=554>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns falsely about `"text" + std::move(string)`.
  target_compile_options(meshmul_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  if(MESHMUL_SANITIZE)
    # And about the standard library where it is precompiled.
    target_compile_options(meshmul_options INTERFACE -Wno-stringop-overflow)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The stable_sort of libstdc++ 12 calls what libstdc++ 12 calls deprecated.
  target_compile_options(meshmul_options INTERFACE -Wno-deprecated-declarations)
endif()
if(MESHMUL_WARNINGS_ARE_ERRORS)
  target_compile_options(meshmul_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(MESHMUL_SANITIZE)
  target_compile_options(meshmul_options INTERFACE -fsanitize=${MESHMUL_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(meshmul_options INTERFACE -fsanitize=${MESHMUL_SANITIZE})
  if(MESHMUL_SANITIZE MATCHES "undefined")
    # A null pointer ends a program by itself, and the address sanitizer says where; to check each use doubles the code.
    target_compile_options(meshmul_options INTERFACE -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=all)
  endif()
endif()
if(MESHMUL_FUZZERS)
  # Every stage counts its branches, so that a fuzzer sees which inputs reach new ones.
  target_compile_options(meshmul_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# meshmul_stage(NAME SOURCES … USES … [PRIVATE_USES …]): the library of one stage of the flow, meshmul::NAME.
function(meshmul_stage name)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(meshmul_${name} STATIC ${arg_SOURCES})
  add_library(meshmul::${name} ALIAS meshmul_${name})
  set_target_properties(meshmul_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(meshmul_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(meshmul_${name} PUBLIC cxx_std_20)
  target_link_libraries(meshmul_${name} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATE_USES} $<BUILD_INTERFACE:meshmul_options>)
  set_property(GLOBAL APPEND PROPERTY MESHMUL_STAGES meshmul_${name})
endfunction()

# Sanitizers are slow: they run a part of the random cases, and the thread sanitizer, which is blind inside libraries that
# were built without it, runs the reference kernels.
set(MESHMUL_TEST_DEFINITIONS MESHMUL_RANDOM_CASE_DIVISOR=1 MESHMUL_TEST_KERNELS="")
if(MESHMUL_SANITIZE MATCHES "address")
  set(MESHMUL_TEST_DEFINITIONS MESHMUL_RANDOM_CASE_DIVISOR=5 MESHMUL_TEST_KERNELS="")
elseif(MESHMUL_SANITIZE MATCHES "thread")
  set(MESHMUL_TEST_DEFINITIONS MESHMUL_RANDOM_CASE_DIVISOR=10 MESHMUL_TEST_KERNELS="reference")
endif()

# meshmul_test(PATH [CONCURRENT] USES …): tests/PATH.cpp becomes one test program; ctest runs each of its cases. CONCURRENT
# are those in which threads or processes share memory: the thread sanitizer builds and runs them alone.
function(meshmul_test path)
  cmake_parse_arguments(arg "CONCURRENT" "" "USES" ${ARGN})
  string(REPLACE "/" "_" target ${path})
  add_executable(${target} ${PROJECT_SOURCE_DIR}/tests/${path}.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE ${MESHMUL_TEST_DEFINITIONS})
  target_link_libraries(${target} PRIVATE ${arg_USES} meshmul_tests_folder GTest::gmock_main meshmul_options)
  if(TARGET meshmul_test_headers)
    target_precompile_headers(${target} REUSE_FROM meshmul_test_headers)
  endif()
  set(label unit)
  if(arg_CONCURRENT)
    set(label concurrent)
    add_dependencies(concurrent_tests ${target})
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${path}." DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()

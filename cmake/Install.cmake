# `cmake --install`: headers, libraries, programs, and the package that find_package(meshmul) reads.
include(CMakePackageConfigHelpers)

get_property(stages GLOBAL PROPERTY MESHMUL_STAGES)
# What a user links: meshmul::meshmul brings every stage.
add_library(meshmul_meshmul INTERFACE)
add_library(meshmul::meshmul ALIAS meshmul_meshmul)
set_target_properties(meshmul_meshmul PROPERTIES EXPORT_NAME meshmul)
target_link_libraries(meshmul_meshmul INTERFACE ${stages})

install(TARGETS meshmul_meshmul ${stages} meshmul_c EXPORT meshmulTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/meshmul DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT meshmulTargets NAMESPACE meshmul:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meshmul)
set(MESHMUL_RANK_PROGRAM ${CMAKE_INSTALL_LIBEXECDIR}/meshmul/meshmul-rank)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/meshmulConfig.cmake.in ${PROJECT_BINARY_DIR}/meshmulConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meshmul PATH_VARS MESHMUL_RANK_PROGRAM)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/meshmulConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/meshmulConfig.cmake ${PROJECT_BINARY_DIR}/meshmulConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/rank_program.cpp.in ${CMAKE_CURRENT_LIST_DIR}/FindOneDnn.cmake ${CMAKE_CURRENT_LIST_DIR}/FindOpenBlas.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meshmul)

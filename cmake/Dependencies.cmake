# What meshmul stands on; docs/dependencies.md says why each was taken.
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(OpenBlas REQUIRED)
find_package(OneDnn REQUIRED)
# oneDNN's threads are OpenMP's; meshmul only tells it to use one.
find_package(OpenMP REQUIRED COMPONENTS CXX)
# Debian's builds of OpenBLAS lie in folders that only the run path of a program names.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# `cmake --install`: headers, libraries, programs, and the package that find_package(meshmul) reads.

// Nothing of its own: the headers in tests/CMakeLists.txt are compiled as this file is, once for all tests.

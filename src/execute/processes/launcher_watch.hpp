#pragma once
// The part of a rank program that ends it with the process that started it.

#include "execute/cpu/file_descriptor.hpp"

namespace meshmul {

/// Starts a thread that sleeps until the other end of `socket` is closed or the process behind the descriptor
/// `launcher` has ended, and then ends this process at once, whatever it is doing. Both are watched: the socket tells
/// that the session is gone; and if the launcher was forked, a copy of the socket may outlive it.
void end_with_launcher(int socket, FileDescriptor launcher);

}  // namespace meshmul

#include "launcher_watch.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <utility>

namespace meshmul {

void end_with_launcher(int socket, FileDescriptor launcher) {
  std::thread([socket, launcher = std::move(launcher)] {
    // A hang-up is reported without being asked for.
    std::array<pollfd, 2> watched{pollfd{socket, 0, 0}, pollfd{launcher.number(), POLLIN, 0}};
    while (poll(watched.data(), watched.size(), -1) <= 0) continue;
    _exit(EXIT_FAILURE);
  }).detach();
}

}  // namespace meshmul

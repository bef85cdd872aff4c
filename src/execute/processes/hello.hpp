#pragma once
// What a new rank program is told over its socket: who it is, and the memory of its world.

#include <array>
#include <cstdint>
#include <string_view>

#include "execute/cpu/file_descriptor.hpp"

namespace meshmul {

/// The descriptor at which a rank program finds its end of the socket.
inline constexpr int kRankSocket = 3;

struct HelloText {
  static constexpr std::uint64_t kVersion = 3;  ///< of this struct and of everything in control.hpp

  std::uint64_t version = kVersion;
  std::int64_t rank = 0;
  std::int64_t world_bytes = 0;
  std::int64_t schedule_bytes = 0;
  std::int64_t times_per_rank = 0;  ///< WorldLayout::times_per_rank
  bool poison = false;              ///< ExecuteOptions::poison
  std::array<char, 64> kernels{};   ///< ExecuteOptions::kernels, ends with 0
};

/// A hello with the descriptors that travel with it.
struct Hello {
  HelloText text;
  FileDescriptor world;     ///< memory of `world_bytes`
  FileDescriptor schedule;  ///< memory of `schedule_bytes`: the text form, with the ops of this rank alone
  FileDescriptor launcher;  ///< becomes readable when the launching process ends
};

/// Descriptors that somebody else owns.
struct HelloDescriptors {
  int world;
  int schedule;
  int launcher;
};

/// A program that is gone by then is not told, which is no error here. Throws Error(kMachine) for any other reason.
void send_hello(int socket, const HelloText& text, const HelloDescriptors& descriptors);

/// Throws Error(kMachine) if the launcher is gone or of another version.
Hello receive_hello(int socket);

}  // namespace meshmul

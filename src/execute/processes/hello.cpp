#include "hello.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr std::size_t kDescriptors = 3;
constexpr std::size_t kDescriptorBytes = kDescriptors * sizeof(int);

// One packet: the text as payload, the descriptors as ancillary data.
struct Packet {
  HelloText text;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kDescriptorBytes)> ancillary{};
  iovec payload{&text, sizeof(text)};
  msghdr header{};

  Packet() {
    header.msg_iov = &payload;
    header.msg_iovlen = 1;
    header.msg_control = ancillary.data();
    header.msg_controllen = ancillary.size();
  }
  Packet(const Packet&) = delete;
  Packet& operator=(const Packet&) = delete;
};

[[noreturn]] void fail(std::string_view what) {
  const std::string reason = std::generic_category().message(errno);
  throw Error(ErrorCode::kMachine, fmt::format("cannot {}: {}", what, reason));
}

}  // namespace

void send_hello(int socket, const HelloText& text, const HelloDescriptors& descriptors) {
  Packet packet;
  packet.text = text;
  cmsghdr* ancillary = CMSG_FIRSTHDR(&packet.header);
  ancillary->cmsg_level = SOL_SOCKET;
  ancillary->cmsg_type = SCM_RIGHTS;
  ancillary->cmsg_len = CMSG_LEN(kDescriptorBytes);
  const std::array<int, kDescriptors> numbers{descriptors.world, descriptors.schedule, descriptors.launcher};
  std::memcpy(CMSG_DATA(ancillary), numbers.data(), kDescriptorBytes);
  // A rank that is gone already is found by whoever watches over it.
  if (sendmsg(socket, &packet.header, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
    fail("tell a rank program what to do");
}

Hello receive_hello(int socket) {
  Packet packet;
  ssize_t received = -1;
  do {
    received = recvmsg(socket, &packet.header, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) fail("hear from the program that started this one");

  Hello hello;
  const cmsghdr* ancillary = CMSG_FIRSTHDR(&packet.header);
  if (ancillary != nullptr && ancillary->cmsg_len == CMSG_LEN(kDescriptorBytes)) {
    std::array<int, kDescriptors> numbers{};
    std::memcpy(numbers.data(), CMSG_DATA(ancillary), kDescriptorBytes);
    hello.world = FileDescriptor(numbers[0]);
    hello.schedule = FileDescriptor(numbers[1]);
    hello.launcher = FileDescriptor(numbers[2]);
  }
  hello.text = packet.text;
  if (received != sizeof(HelloText) || hello.text.version != HelloText::kVersion || !hello.launcher.is_open())
    throw Error(ErrorCode::kMachine, "the program that started this one is gone, or of another version of meshmul");
  return hello;
}

}  // namespace meshmul

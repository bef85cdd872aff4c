#pragma once
// Memory that a local product library keeps between products.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace meshmul {

/// 64-byte aligned bytes that grow and never shrink; their contents are lost when they grow.
class ScratchBytes {
 public:
  std::byte* at_least(std::int64_t num_bytes) {
    if (num_bytes > size_) {
      bytes_.reset();  // before the new ones, so that both never exist together
      bytes_.reset(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(num_bytes), kAlignment)));
      size_ = num_bytes;
    }
    return bytes_.get();
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, kAlignment); }
  };

  std::unique_ptr<std::byte, Free> bytes_;
  std::int64_t size_ = 0;
};

}  // namespace meshmul

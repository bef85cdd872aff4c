// Fuzzes .npy files.

#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  static const TemporaryFolder folder;  // goes when the process ends
  const std::string file = folder.file("input.npy");
  fuzz::write_bytes(file, fuzz::as_text(data, size));
  const bool listed = fuzz::read_or_refuse([&] { return list_arrays(file); }).has_value();
  // Raw elements are read only by who asks for one of these two.
  for (const std::optional<Dtype> expected :
       {std::optional<Dtype>(), std::optional(Dtype::kBf16), std::optional(Dtype::kF8e4m3)}) {
    const bool is_read = fuzz::read_and_copy(file, expected, folder.file("copy.npy"));
    fuzz::expect(listed || !is_read, "what can be read can be listed");
  }
  return 0;
}

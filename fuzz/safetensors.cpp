// Fuzzes .safetensors files: every tensor of a type that meshmul has can be read by its name.

#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  static const TemporaryFolder folder;  // goes when the process ends
  const std::string file = folder.file("input.safetensors");
  fuzz::write_bytes(file, fuzz::as_text(data, size));
  const auto tensors = fuzz::read_or_refuse([&] { return list_arrays(file); });
  if (!tensors) return 0;
  for (const FileArray& tensor : *tensors) {
    const bool is_read =
        fuzz::read_and_copy(file + ":" + tensor.name, std::nullopt, folder.file("copy.safetensors:" + tensor.name));
    const bool can_be_read =
        tensor.dtype && !tensor.name.empty() && tensor.shape.size() <= static_cast<std::size_t>(kMaxDims);
    fuzz::expect(is_read == can_be_read, "tensors that are listed can be read", tensor.name);
  }
  return 0;
}

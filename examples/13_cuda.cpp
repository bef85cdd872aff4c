// On GPUs: A is gathered and multiplied, first one after the other, then pulled piece by piece while it is multiplied.
// Four ranks share what GPUs there are; without one the same program runs in threads.

#include <algorithm>
#include <cstring>
#include <iostream>
#include <memory>
#include <meshmul/meshmul.hpp>
#include <meshmul/view.hpp>
#include <string>

using namespace meshmul;

namespace {

// The same element of an array for every sharding of it.
void fill_inputs(Session& session, const Schedule& schedule, const Shape& shape) {
  for (const Holding& input : schedule.contract.inputs) {
    const BufferDecl& buffer = schedule.buffers[static_cast<std::size_t>(input.region.buffer)];
    std::byte* const memory = session.buffer(input.region.rank, input.region.buffer).data();
    fill_random(view_of(memory, buffer.dtype, buffer.shape, input.region.box), input.global, shape,
                {seed_for(1, input.array), 0});
  }
}

HostArray gather_output(Session& session, const Schedule& schedule, const Shape& shape) {
  HostArray whole(dtype::bf16, shape);
  const auto bytes = [](std::int64_t elements) { return elements * size_bytes(dtype::bf16); };
  for (const Holding& output : schedule.contract.outputs) {
    const BufferDecl& buffer = schedule.buffers[static_cast<std::size_t>(output.region.buffer)];
    std::byte* const memory = session.buffer(output.region.rank, output.region.buffer).data();
    const View from = view_of(memory, buffer.dtype, buffer.shape, output.region.box);
    const View to = whole.view(output.global);
    for (std::int64_t row = 0; row < from.extents[0]; ++row)
      std::memcpy(to.data + bytes(row * to.strides[0]), from.data + bytes(row * from.strides[0]),
                  static_cast<std::size_t>(bytes(from.extents[1])));
  }
  return whole;
}

}  // namespace

int main() {
  const Executor* const cuda = find_executor("cuda");
  const Executor& executor = cuda != nullptr ? *cuda : *find_executor("threads");
  const std::int64_t n = cuda != nullptr ? 2048 : 512;
  const Shape shape{n, n};

  const Mesh mesh{{"X", 4}};
  Statement statement = parse_statement("bf16 A[M_X, K] * B[K, N_X] -> C[M, N_X]", mesh);
  for (const char* index : {"M", "K", "N"}) set_size(statement, index, n);
  const Hardware hardware = find_hardware(cuda != nullptr ? "h200" : "cpu");
  std::cout << to_string(statement, mesh) << "\n" << mesh.num_devices() << " ranks on " << executor.name() << "\n";

  LowerOptions sequential, pull;
  pull.overlap.gather = Design::kPull;
  pull.overlap.chunks_per_shard = 2;
  bool right = true;
  for (const LowerOptions& way : {sequential, pull}) {
    CompileOptions options;
    options.lower = way;
    const Schedule schedule = compile(statement, mesh, hardware, executor, options).schedule;
    const std::unique_ptr<Session> session = executor.open(schedule, {});
    fill_inputs(*session, schedule, shape);
    double seconds = session->run().seconds;
    for (int again = 0; again < 5; ++again) seconds = std::min(seconds, session->run().seconds);

    const CheckResult result = check(statement,
                                     {random_array(dtype::bf16, shape, {seed_for(1, "A"), 0}),
                                      random_array(dtype::bf16, shape, {seed_for(1, "B"), 0})},
                                     gather_output(*session, schedule, shape));
    std::cout << (way.overlap.any() ? to_string(way) : "one after the other") << ": " << 1e6 * seconds << " us, "
              << (result.ok ? "right" : "wrong") << "\n";
    right = right && result.ok;
  }
  return right ? 0 : 1;
}

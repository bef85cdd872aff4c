// Writes the pages that page_test.py opens into a folder: write_pages FOLDER.

#include <filesystem>
#include <fstream>
#include <iostream>

#include "draw/sample.hpp"
#include "meshmul/program.hpp"

namespace meshmul::testing {
namespace {

void write(const std::filesystem::path& path, const Drawing& drawing) {
  std::ofstream(path, std::ios::binary) << page_html(drawing);
}

void write_pages(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write(folder / "small.html", small_sample().both());
  write(folder / "large.html",
        sample("bf16 A[I=8192_X, J=4096_Y] * B[J=4096_Y, K=8192_X] -> C[I_X, K_Y]", "X=8,Y=8").drawing());
  write(folder / "switch.html", sample("f32 A[I=300_X, J=100] * B[J=100, K=77_X] -> C[I_X, K]", "X=8", "h100").both());
  write(folder / "wide.html", sample("AllGather_Y(bf16 A[I=1024_Y, J=64])", "X=2,Y=16").drawing());

  const Mesh mesh = parse_mesh("X=2,Y=2");
  const Program program = parse_program(
      "bf16 In[B=128, D=8192]?\nbf16 Win[D, F=32768]?\nbf16 Wout[F, D]?\nH = gelu(In * Win)\nOut = H * Wout like In\n",
      mesh);
  const ProgramPlan plan = meshmul::plan(program, mesh, find_hardware("v5e:2x2"));
  write(folder / "program.html", {.program_plan = &plan});

  const Sample small = small_sample();
  write(folder / "schedule.html", {.schedule = &small.schedule, .ranks = RankRange{1, 2}});
}

}  // namespace
}  // namespace meshmul::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_pages FOLDER\n";
    return 2;
  }
  meshmul::testing::write_pages(argv[1]);
}

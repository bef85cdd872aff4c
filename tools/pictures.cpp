#include "pictures.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "arguments.hpp"
#include "base/amounts.hpp"
#include "io/atomic_file.hpp"
#include "meshmul/error.hpp"
#include "overwriting.hpp"

namespace meshmul::cli {
namespace {

constexpr std::int64_t kLargeBytes = 50'000'000;

void warn_if_large(const std::string& file, std::int64_t bytes) {
  if (bytes < kLargeBytes) return;
  fmt::print(stderr, "meshmul: {} will take some {}; --ranks 0-7 draws fewer ranks\n", file,
             format_amount(static_cast<double>(bytes), "B"));
}

int num_ranks(const Drawing& drawing) {
  if (drawing.schedule != nullptr) return drawing.schedule->num_ranks();
  return (drawing.plan != nullptr ? drawing.plan->mesh : drawing.program_plan->mesh).num_devices();
}

}  // namespace

void add_page(CLI::App& verb, PictureOptions& options) {
  add_value(verb, "--html", options.html, "Also write it as a page with pictures, which opens from disk", "FILE");
  add_value(verb, "--ranks", options.ranks, "Draw these ranks alone: 0-7, or 3; default: all", "RANKS");
}

void add_pictures(CLI::App& verb, PictureOptions& options) {
  add_page(verb, options);
  add_value(verb, "--trace", options.trace, "Also write the timeline as a trace for ui.perfetto.dev", "FILE");
}

void refuse_same_files(const PictureOptions& options, const std::vector<std::string>& files) {
  refuse_overwriting("--html", options.html, files);
  std::vector<std::string> taken = files;
  taken.push_back(options.html);
  refuse_overwriting("--trace", options.trace, taken);
}

bool wants_pictures(const PictureOptions& options) {
  const bool wants = !options.html.empty() || !options.trace.empty();
  if (!wants && !options.ranks.empty())
    throw Error(ErrorCode::kInvalidArgument,
                "--ranks says what a picture draws, and none is asked for; add --html FILE");
  return wants;
}

void write_pictures(const PictureOptions& options, Drawing drawing) {
  if (!options.ranks.empty()) drawing.ranks = parse_rank_range(options.ranks, num_ranks(drawing));
  if (!options.html.empty()) {
    warn_if_large(options.html, estimated_page_bytes(drawing));
    write_file(options.html, page_html(drawing));
  }
  if (!options.trace.empty()) {
    warn_if_large(options.trace, estimated_trace_bytes(drawing));
    write_file(options.trace, trace_json(drawing));
  }
}

}  // namespace meshmul::cli

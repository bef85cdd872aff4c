// `meshmul bench matmul|mlp|collectives`: measures this machine, every way next to its bound and to what others do.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "bench_chart.hpp"
#include "bench_collectives.hpp"
#include "bench_matmul.hpp"
#include "bench_run.hpp"
#include "execute/registry.hpp"
#include "interrupt.hpp"
#include "measure/mpi_peer.hpp"
#include "meshmul/error.hpp"
#include "overwriting.hpp"
#include "plot_file.hpp"
#include "program_file.hpp"
#include "ranks_per_gpu.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul bench matmul --sizes 4096x4096x4096 --plot matmul.svg\n"
    "  meshmul bench matmul 'bf16 A[M=2048_X, K=8192] * B[K, N=2048_X] -> C[M, N_X]' --mesh X=4 --backend processes\n"
    "  meshmul bench mlp --layers 1 --sizes 256x1024x16384 --mesh X=4\n"
    "  meshmul bench mlp examples/gated_mlp.mm --mesh X=2\n"
    "  meshmul bench collectives --bytes 1KiB:256MiB --json\n\n"
    "Two things are compared by the ratio of neighbours: each way is measured right after its bound, again and again;\n"
    "the figures are medians with 95 % intervals. docs/performance.md says more. Ctrl-C shows what there is so far.";

constexpr const char* kMatmulSizes = "4096x4096x4096,2048x2048x8192,256x1024x4096";
constexpr const char* kMlpSizes = "256x1024x16384";
constexpr std::int64_t kMostLayers = 1000;
constexpr std::int64_t kLargestExtent = 1'000'000;

struct BenchOptions {
  std::string subject;
  std::vector<std::string> statements;
  std::string mesh;
  std::string hardware = "cpu";
  std::string backend = "threads";
  std::string ranks_per_gpu;
  std::string dtype = "f32";
  std::string sizes;
  std::string layers = "4";
  std::string bytes = "1KiB:256MiB";
  std::string collectives, algorithms;
  std::string pairs = "31";
  std::string max_time = "20s";
  std::string rows;
  std::string plot;
  bool json = false;
};

using Plot = std::optional<PlotFile>;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

BenchRun read_run(const BenchOptions& options) {
  BenchRun run;
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  run.mesh = options.mesh.empty() ? Mesh{{"X", cores}} : parse_mesh(options.mesh);
  run.executor = &require_executor(options.backend, "--backend");
  run.execute.ranks_per_gpu = read_ranks_per_gpu(options.ranks_per_gpu, options.backend);
  run.execute.interrupted = [] { return interrupted_by() != 0; };
  run.hardware = find_hardware(options.hardware);
  run.pairs = parse_count(options.pairs, "--pairs", 1);
  if (!options.rows.empty()) run.rows = split(options.rows, ',');
  if (std::find(run.rows.begin(), run.rows.end(), "") != run.rows.end())
    refuse(fmt::format("--rows \"{}\" has an empty part; expected parts of names, as in planner,pull", options.rows));
  run.max_seconds = std::chrono::duration<double>(parse_duration(options.max_time, "--max-time")).count();
  return run;
}

/// Each subject has options of its own, and what is given says its sizes itself.
void refuse_idle_options(const BenchOptions& options) {
  const BenchOptions defaults;
  const bool is_matmul = options.subject == "matmul";
  const bool is_mlp = options.subject == "mlp";
  const bool makes_products = (is_matmul || is_mlp) && options.statements.empty();
  const std::tuple<const char*, bool, bool> uses[] = {
      {"--sizes", options.sizes != defaults.sizes, makes_products},
      {"--dtype", options.dtype != defaults.dtype, makes_products},
      {"--layers", options.layers != defaults.layers, makes_products && is_mlp},
      {"--rows", options.rows != defaults.rows, is_matmul || is_mlp},
      {"--bytes", options.bytes != defaults.bytes, !is_matmul && !is_mlp},
      {"--collectives", options.collectives != defaults.collectives, !is_matmul && !is_mlp},
      {"--algorithms", options.algorithms != defaults.algorithms, !is_matmul && !is_mlp}};
  for (const auto& [option, is_given, is_used] : uses)
    if (is_given && !is_used)
      refuse(fmt::format("{} does nothing for {}{}; leave it out", option, options.subject,
                         options.statements.empty() ? "" : " of what is given"));
}

void require_one_axis(const Mesh& mesh, const std::string& what) {
  if (mesh.num_axes() != 1 || mesh.axes().front().name != "X")
    refuse(fmt::format("{} on a mesh of one axis, X; found {}", what, mesh.str()));
}

/// `MxKxN,…`: three numbers each.
std::vector<std::array<std::int64_t, 3>> read_sizes(const std::string& text) {
  std::vector<std::array<std::int64_t, 3>> all;
  for (const std::string& sizes : split(text, ',')) {
    const std::vector<std::string> extents = split(sizes, 'x');
    if (extents.size() != 3) refuse(fmt::format("--sizes \"{}\" is not three numbers, as in 4096x4096x4096", sizes));
    const auto extent = [&](std::size_t i) {
      const std::int64_t count = parse_count(extents[i], "--sizes", 1);
      if (count > kLargestExtent) refuse(fmt::format("--sizes {}: at most {} are measured", sizes, kLargestExtent));
      return count;
    };
    all.push_back({extent(0), extent(1), extent(2)});
  }
  return all;
}

Dtype read_dtype(const BenchOptions& options) {
  const std::optional<Dtype> dtype = parse_dtype(options.dtype);
  if (!dtype) refuse(fmt::format("--dtype \"{}\" is no element type", options.dtype));
  return *dtype;
}

std::vector<Statement> read_default_products(const BenchOptions& options, const Mesh& mesh) {
  require_one_axis(mesh, "without a statement products are measured");
  const Dtype dtype = read_dtype(options);
  std::vector<Statement> statements;
  for (const auto& [m, k, n] : read_sizes(options.sizes.empty() ? kMatmulSizes : options.sizes))
    for (Statement& statement : default_products(m, k, n, mesh, dtype)) statements.push_back(std::move(statement));
  return statements;
}

std::vector<Statement> read_products(const BenchOptions& options, const Mesh& mesh) {
  if (options.statements.empty()) return read_default_products(options, mesh);
  std::vector<Statement> statements;
  for (const std::string& text : options.statements) {
    if (is_program_file(text)) refuse(fmt::format("matmul measures statements; bench mlp {} measures programs", text));
    statements.push_back(parse_statement(text, mesh));
    check_sizes(statements.back());
  }
  return statements;
}

ChartValue chart_value(const measure::Estimate& estimate) { return {estimate.median, estimate.low, estimate.high}; }

/// Those of which something was measured, the ways with the products alone as their bound.
std::vector<BarChart> charts_of(const std::vector<MatmulFigures>& all) {
  std::vector<BarChart> charts;
  for (const MatmulFigures& figures : all) {
    if (figures.rows.empty()) continue;
    BarChart chart{fmt::format("{} ({} pairs)", figures.name, figures.pairs),
                   "time of the products alone / time of the way",
                   figures.rows.front().name,
                   {}};
    for (std::size_t i = 1; i < figures.rows.size(); ++i)
      chart.bars.push_back({figures.rows[i].name, chart_value(figures.rows[i].ratio)});
    charts.push_back(std::move(chart));
  }
  return charts;
}

Answer answer_of(const std::vector<MatmulFigures>& all, const BenchOptions& options, const BenchRun& run, Plot& plot) {
  Json json = conditions_json(run);
  json["products"] = Json::array();
  std::string text = conditions_text(run) + "\nmedians and 95 % intervals of ratios to the products alone\n";
  for (const MatmulFigures& figures : all) {
    json["products"].push_back(as_json(figures));
    text += "\n" + as_text(figures);
  }
  if (plot) plot->write(charts_of(all));
  return {options.json ? to_text(json) : text};
}

Answer bench_matmul(const BenchOptions& options, const BenchRun& run, Plot& plot) {
  std::vector<MatmulFigures> all;
  for (const Statement& statement : read_products(options, run.mesh))
    if (interrupted_by() == 0) all.push_back(measure_matmul(statement, run));
  return answer_of(all, options, run, plot);
}

Answer bench_mlp(const BenchOptions& options, const BenchRun& run, Plot& plot) {
  std::vector<MatmulFigures> all;
  const auto add = [&](const std::string& text, const std::string& name) {
    const Program program = parse_program(text, run.mesh);
    check_sizes(program);
    if (interrupted_by() == 0) all.push_back(measure_program(program, name, run));
  };
  for (const std::string& path : options.statements) {
    if (!is_program_file(path)) refuse(fmt::format("mlp measures programs, files that end in .mm; found {}", path));
    const std::string text = read_program(path);
    placed_in_file(path, text, [&] { add(text, path); });
  }
  if (options.statements.empty()) {
    require_one_axis(run.mesh, "without a program an MLP is measured");
    const std::int64_t layers = parse_count(options.layers, "--layers", 1);
    if (layers > kMostLayers) refuse(fmt::format("--layers {}: at most {} are measured", layers, kMostLayers));
    const Dtype dtype = read_dtype(options);
    if (product_dtype(dtype) != dtype)
      refuse(fmt::format("--dtype {0}: a product of {0} is {1}, so that no layer could follow another", name(dtype),
                         name(product_dtype(dtype))));
    for (const auto& [b, d, f] : read_sizes(options.sizes.empty() ? kMlpSizes : options.sizes))
      add(mlp_program(layers, b, d, f, dtype),
          fmt::format("{} {} of an MLP, {} x {} -> {} -> {}, {}", layers, layers == 1 ? "layer" : "layers", b, d, f, d,
                      options.dtype));
  }
  return answer_of(all, options, run, plot);
}

std::vector<LineChart> charts_of(const std::vector<CollectiveFigures>& all) {
  std::vector<LineChart> charts;
  for (const CollectiveFigures& figures : all) {
    if (figures.rows.empty()) continue;
    const std::string title(name(figures.kind));
    if (charts.empty() || charts.back().title != title) {
      charts.push_back({title,
                        "bytes of a rank's contribution",
                        {},
                        "bytes that a rank gets per second",
                        "B/s",
                        {{"copies alone", {}}}});
      for (const CollectiveFiguresRow& row : figures.rows) charts.back().lines.push_back({row.name, {}});
    }
    const auto point = [&figures](const measure::Estimate& seconds) {
      const double bytes = figures.bytes_to_get;
      return LineChart::Point{static_cast<double>(figures.bytes),
                              {bytes / seconds.median, bytes / seconds.high, bytes / seconds.low}};
    };
    charts.back().size_marks.emplace_back(static_cast<double>(figures.bytes), size_text(figures.bytes));
    std::vector<LineChart::Line>& lines = charts.back().lines;
    lines.front().points.push_back(point(figures.copies_seconds));
    for (std::size_t i = 0; i < figures.rows.size(); ++i) lines[i + 1].points.push_back(point(figures.rows[i].seconds));
  }
  return charts;
}

// Those of `all` that `text` names, separated by commas; all of them if it is empty.
template <class Named>
std::vector<Named> read_selection(const std::string& text, const std::string& what, std::span<const Named> all) {
  if (text.empty()) return {all.begin(), all.end()};
  std::vector<std::string> names;
  for (const Named each : all) names.emplace_back(name(each));
  std::vector<Named> selection;
  for (const std::string& each : split(text, ',')) selection.push_back(all[choose(each, what, names)]);
  return selection;
}

CollectiveSelection read_collectives(const BenchOptions& options, const Mesh& mesh) {
  const std::vector<std::string> range = split(options.bytes, ':');
  const std::int64_t low = parse_bytes(range.front(), "--bytes");
  const std::int64_t high = parse_bytes(range.back(), "--bytes");
  if (range.size() > 2 || low > high || low < mesh.num_devices() * static_cast<std::int64_t>(sizeof(float)))
    refuse(fmt::format("--bytes {} is no range, as 1KiB:256MiB, with an element for every rank", options.bytes));
  return {read_selection(options.collectives, "collective", collective_kinds()),
          read_selection(options.algorithms, "algorithm", algorithms()), low, high};
}

Answer bench_collectives(const BenchOptions& options, const BenchRun& run, Plot& plot) {
  require_one_axis(run.mesh, "collectives are measured");
  if (!options.statements.empty()) refuse("collectives takes no statement; they are measured by their bytes");
  const std::vector<CollectiveFigures> all = measure_collectives(read_collectives(options, run.mesh), run);
  if (plot) plot->write(charts_of(all));
  const std::string peer = measure::MpiPeer::is_available() ? measure::mpi_version() : "";
  if (!options.json)
    return {conditions_text(run) + (peer.empty() ? "\nMPI is not there to compare with\n" : "\n" + peer + "\n") +
            as_text(all)};
  Json json = conditions_json(run);
  json["mpi"] = peer;
  json["collectives"] = as_json(all);
  return {to_text(json)};
}

Answer answer(const BenchOptions& options) {
  catch_interrupts();
  const std::size_t subject = choose(options.subject, "subject", {"matmul", "mlp", "collectives"});
  refuse_idle_options(options);
  const BenchRun run = read_run(options);
  std::vector<std::string> read = options.statements;
  read.push_back(options.hardware);
  refuse_overwriting("--plot", options.plot, read);
  Plot plot;
  if (!options.plot.empty()) plot.emplace(options.plot);
  Answer answer = subject == 0   ? bench_matmul(options, run, plot)
                  : subject == 1 ? bench_mlp(options, run, plot)
                                 : bench_collectives(options, run, plot);
  answer.interrupted = interrupted_by() != 0;
  return answer;
}

}  // namespace

Verb add_bench(CLI::App& app) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand("bench", "Measure products or collectives on this machine");
  add_value(*verb, "SUBJECT", options->subject, "What is measured: matmul, mlp, collectives", "")->required();
  verb->add_option("STATEMENT", options->statements,
                   "matmul: products; default: four shardings of each of --sizes. mlp: .mm files of programs; default: "
                   "tensor-parallel layers")
      ->type_name("");
  add_value(*verb, "--mesh", options->mesh, "Axes and their sizes; default: X, as many ranks as cores", "X=2");
  add_value(*verb, "--backend", options->backend,
            "What runs the ranks: threads, processes, reference; cuda where there is a GPU", "NAME")
      ->capture_default_str();
  add_ranks_per_gpu(*verb, options->ranks_per_gpu);
  add_value(*verb, "--hardware", options->hardware, "Profile by which the planner chooses", "NAME|FILE")
      ->capture_default_str();
  add_value(*verb, "--sizes", options->sizes,
            fmt::format("matmul: M x K by K x N; mlp: a batch of B, B x D -> F -> D. Default: {}; {}", kMatmulSizes,
                        kMlpSizes),
            "MxKxN|BxDxF,…");
  add_value(*verb, "--layers", options->layers, "mlp: how many", "N")->capture_default_str();
  add_value(*verb, "--dtype", options->dtype, "matmul, mlp: element type of what --sizes makes", "DTYPE")
      ->capture_default_str();
  add_value(*verb, "--bytes", options->bytes, "collectives: of one rank's contribution, by factors of 4", "LOW:HIGH")
      ->capture_default_str();
  add_value(*verb, "--collectives", options->collectives, "collectives: those to measure; default: all", "NAME,…");
  add_value(*verb, "--algorithms", options->algorithms, "collectives: how they are built; default: in every way",
            "NAME,…");
  add_value(*verb, "--pairs", options->pairs, "How often each way and its bound are measured", "N")
      ->capture_default_str();
  add_value(*verb, "--max-time", options->max_time, "Fewer pairs where one product or collective would take longer",
            "TIME")
      ->capture_default_str();
  add_value(*verb, "--rows", options->rows, "matmul, mlp: only the ways in whose names one of these stands", "TEXT,…");
  add_value(*verb, "--plot", options->plot, "Also draw the figures by gnuplot; FILE.gp: write its script",
            "FILE.svg|png|pdf");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli

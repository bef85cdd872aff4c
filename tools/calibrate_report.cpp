#include "calibrate_report.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/amounts.hpp"
#include "plan/report/table.hpp"

namespace meshmul::cli {
namespace {

std::string signals_text(const Host& host) {
  return fmt::format("an op takes {}; a signal is noticed after {}, by a rank that sleeps after {}\n",
                     format_seconds(host.op_seconds), format_seconds(host.notice_seconds),
                     format_seconds(host.wake_seconds));
}

std::string rates_text(const Host& host) {
  std::vector<Row> rows{
      {"memory gone through", "copies", "all busy", "reductions", "all busy", "sums", "all busy", "maps", "all busy"}};
  for (std::size_t i = 0; i < host.copies.footprint_bytes.size(); ++i) {
    Row row{format_amount(host.copies.footprint_bytes[i], "B")};
    for (const FootprintRates* rates : {&host.copies, &host.reductions, &host.sums, &host.maps}) {
      row.push_back(format_amount(rates->bytes_per_second[i], "B/s"));
      row.push_back(format_amount(rates->busy_bytes_per_second[i], "B/s"));
    }
    rows.push_back(row);
  }
  return text_table(rows);
}

/// The products whose rows, columns or contraction are short and whose other extents are the largest.
std::string products_text(const Calibration& calibration) {
  const std::vector<ProductTimes>& tables = calibration.hardware.host->products;
  Row head{"FLOP/s of products", "of"};
  for (const double extent : tables.front().m) head.push_back(fmt::format("{}", extent));
  std::vector<Row> rows{head};
  for (const ProductTimes& table : tables) {
    const double largest = table.m.back();
    for (const std::string_view index : {"rows", "columns", "contraction"}) {
      Row row{std::string(name(table.dtype)), std::string(index)};
      for (const double extent : table.m) {
        std::array<double, 3> extents{largest, largest, largest};
        extents[index == "rows" ? 0 : index == "columns" ? 1 : 2] = extent;
        const double taken = seconds(table, extents[0], extents[1], extents[2]);
        row.push_back(format_amount(2 * extents[0] * extents[1] * extents[2] / taken, ""));
      }
      rows.push_back(row);
    }
  }
  return text_table(rows);
}

std::string alone_text(const Calibration& calibration) {
  std::string text;
  for (const ProductRate& product : calibration.products)
    text += fmt::format("{} alone {}, all busy {}\n", name(product.dtype),
                        format_amount(product.flops_per_second.alone, "FLOP/s"),
                        format_amount(product.flops_per_second.busy, "FLOP/s"));
  return text;
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  const Host& host = *calibration.hardware.host;
  return fmt::format("{} cores\n{}\n{}\n{}\n{}", *host.cores, signals_text(host), rates_text(host),
                     products_text(calibration), alone_text(calibration));
}

}  // namespace meshmul::cli

#include "hardware/host_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "hardware/profile_ranges.hpp"

namespace meshmul {
namespace {

constexpr TomlSection::Range kExtent{1, 1e12, "an extent from 1 to 1e12"};

std::vector<double> rising(const TomlSection& section, std::string_view key, const TomlSection::Range& range) {
  std::vector<double> numbers = section.numbers(key, range);
  if (std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) != numbers.end())
    section.fail(key, "rising numbers");
  return numbers;
}

// As many as there are footprints.
std::vector<double> by_footprint(const TomlSection& section, std::string_view key, const TomlSection::Range& range,
                                 std::size_t footprints) {
  std::vector<double> numbers = section.numbers(key, range);
  if (numbers.size() != footprints)
    section.fail(key, fmt::format("{} numbers, one for each of `footprint_bytes`", footprints));
  return numbers;
}

FootprintRates read_rates(const TomlSection& section) {
  section.check_keys({"footprint_bytes", "bytes_per_second", "busy_bytes_per_second"});
  FootprintRates rates;
  rates.footprint_bytes = rising(section, "footprint_bytes", kBytes);
  const auto read = [&](std::string_view key) {
    return by_footprint(section, key, kRate, rates.footprint_bytes.size());
  };
  rates.bytes_per_second = read("bytes_per_second");
  if (section.has("busy_bytes_per_second")) rates.busy_bytes_per_second = read("busy_bytes_per_second");
  return rates;
}

FootprintSeconds read_seconds(const TomlSection& section) {
  section.check_keys({"footprint_bytes", "seconds"});
  FootprintSeconds times;
  times.footprint_bytes = rising(section, "footprint_bytes", kBytes);
  times.seconds = by_footprint(section, "seconds", kSeconds, times.footprint_bytes.size());
  return times;
}

Streams read_streams(const TomlSection& section) {
  section.check_keys({"least_bytes", "copies", "gets", "sums"});
  return {section.number("least_bytes", kBytes), read_rates(section.section("copies")),
          read_rates(section.section("gets")), read_rates(section.section("sums"))};
}

ProductTimes read_product(const TomlSection& section) {
  section.check_keys({"dtype", "m", "n", "k", "seconds"});
  const std::optional<Dtype> dtype = parse_dtype(section.text("dtype"));
  if (!dtype) section.fail("dtype", "f64, f32, bf16, f16, f8e4m3, i8 or i32");
  ProductTimes times{*dtype, rising(section, "m", kExtent), rising(section, "n", kExtent),
                     rising(section, "k", kExtent), section.numbers("seconds", kSeconds)};
  const std::size_t count = times.m.size() * times.n.size() * times.k.size();
  if (times.seconds.size() != count)
    section.fail("seconds", fmt::format("{} numbers", times.seconds.size()),
                 fmt::format("{}, one for every m, n and k", count));
  return times;
}

std::vector<ProductTimes> read_products(const std::vector<TomlSection>& sections) {
  std::vector<ProductTimes> products;
  for (const TomlSection& section : sections) {
    ProductTimes times = read_product(section);
    for (const ProductTimes& before : products)
      if (before.dtype == times.dtype) section.fail("dtype", "one table for each dtype");
    products.push_back(std::move(times));
  }
  return products;
}

}  // namespace

Host read_host(const TomlSection& section) {
  section.check_keys({"cores", "op_seconds", "notice_seconds", "wake_seconds", "sleep_after_seconds", "runs", "copies",
                      "gets", "reductions", "sums", "maps", "streams", "products"});
  Host host;
  if (section.has("cores")) host.cores = static_cast<int>(section.whole("cores", kCount));
  host.op_seconds = section.number("op_seconds", kSeconds);
  host.notice_seconds = section.number("notice_seconds", kSeconds);
  host.wake_seconds = section.number("wake_seconds", kSeconds);
  host.sleep_after_seconds = section.number("sleep_after_seconds", kSeconds);
  host.runs = read_seconds(section.section("runs"));
  host.copies = read_rates(section.section("copies"));
  host.gets = read_rates(section.section("gets"));
  host.reductions = read_rates(section.section("reductions"));
  host.sums = read_rates(section.section("sums"));
  host.maps = read_rates(section.section("maps"));
  if (section.has("streams")) host.streams = read_streams(section.section("streams"));
  host.products = read_products(section.sections("products"));
  return host;
}

}  // namespace meshmul

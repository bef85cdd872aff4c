#include "operands.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "meshmul/error.hpp"
#include "meshmul/rank.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

std::string describe(const ConstView& view) {
  return fmt::format("{}[{}]", name(view.dtype),
                     fmt::join(view.extents.begin(), view.extents.begin() + view.num_dims, ", "));
}

bool same_shape(const ConstView& a, const ConstView& b) {
  return a.num_dims == b.num_dims && std::equal(a.extents.begin(), a.extents.begin() + a.num_dims, b.extents.begin());
}

[[noreturn]] void refuse_pair(std::string_view what, const ConstView& dst, const ConstView& src) {
  refuse(fmt::format("{}: the source is {}, the destination {}", what, describe(src), describe(dst)));
}

}  // namespace

void require_same_shape(std::string_view what, const ConstView& dst, const ConstView& src) {
  if (!same_shape(dst, src)) refuse_pair(what, dst, src);
}

void require_same(std::string_view what, const ConstView& dst, const ConstView& src) {
  if (!same_shape(dst, src) || dst.dtype != src.dtype) refuse_pair(what, dst, src);
}

void require_map(const ConstView& dst, MapFunction function, std::span<const ConstView> srcs) {
  if (static_cast<int>(srcs.size()) != num_sources(function))
    refuse(fmt::format("map {} has {} sources; expected {}", name(function), srcs.size(), num_sources(function)));
  const bool may_be_one = function == MapFunction::kBias || function == MapFunction::kScale;
  for (std::size_t i = 0; i < srcs.size(); ++i)
    if (!may_be_one || i != 1 || srcs[i].num_dims > 0)
      require_same_shape(fmt::format("map {}", name(function)), dst, srcs[i]);
}

void require_gemm(const ConstView& c, const ConstView& a, const ConstView& b, const Einsum& einsum) {
  const auto fault = [&](std::string_view why) {
    refuse(fmt::format("gemm {} of {} and {} into {}: {}", einsum.str(), describe(a), describe(b), describe(c), why));
  };
  std::map<char, std::int64_t> extents;
  const auto require_extents = [&](const ConstView& view, const std::string& letters) {
    if (view.num_dims != static_cast<int>(letters.size())) fault("a letter is expected for each dimension");
    for (std::size_t d = 0; d < letters.size(); ++d) {
      const auto [known, added] = extents.try_emplace(letters[d], view.extents[d]);
      if (known->second != view.extents[d])
        fault(fmt::format("index {} has both {} and {} elements", letters[d], known->second, view.extents[d]));
    }
  };
  require_extents(a, einsum.a);
  require_extents(b, einsum.b);
  require_extents(c, einsum.c);
  if (a.dtype != b.dtype) fault("both inputs are expected to have one dtype");
  if (accumulator_of(c.dtype) != accumulator_of(a.dtype))
    fault(fmt::format("sums of {} are {}", name(a.dtype), name(accumulator_of(a.dtype))));
}

void require_elements(const View& view, bool is_type) {
  if (!is_type) refuse(fmt::format("the elements of {} are asked for as another type", describe(view)));
  std::int64_t stride = 1;
  bool dense = true;
  for (int d = view.num_dims - 1; d >= 0; --d) {
    const auto i = static_cast<std::size_t>(d);
    if (view.extents[i] != 1 && view.strides[i] != stride) dense = false;
    stride *= view.extents[i];
  }
  if (!dense && view.num_elements() > 0)
    refuse(fmt::format("the elements of {} do not lie side by side in their buffer", describe(view)));
}

}  // namespace meshmul

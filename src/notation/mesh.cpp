#include "meshmul/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

bool is_name(std::string_view text) {
  const auto alnum = [](unsigned char c) { return std::isalnum(c) != 0; };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), alnum);
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// Reads the axes of a mesh one after the other.
class MeshParser {
 public:
  explicit MeshParser(std::string_view text) : text_(text) {}

  Mesh parse() {
    if (without_blanks(text_).empty()) return Mesh();
    for (std::size_t begin = 0; begin <= text_.size();) {
      const std::size_t comma = std::min(text_.find(',', begin), text_.size());
      parse_axis(text_.substr(begin, comma - begin));
      begin = comma + 1;
    }
    return Mesh(std::move(axes_));
  }

 private:
  /// `item` is what stands between two commas.
  void parse_axis(std::string_view item) {
    const std::size_t equals = item.find('=');
    const std::string_view name = without_blanks(item.substr(0, equals));
    if (without_blanks(item).empty())
      fail(item.substr(item.size()), fmt::format("expected a mesh axis such as X=4 {} the comma; found none",
                                                 item.data() == text_.data() ? "before" : "after"));
    if (!is_name(name))
      fail(name, fmt::format("expected a mesh axis such as X=4, its name of letters and digits; found '{}'",
                             without_blanks(item)));
    if (equals == std::string_view::npos)
      fail(item.substr(item.size()), fmt::format("mesh axis {} has no size; expected {}=SIZE", name, name));
    for (const MeshAxis& axis : axes_)
      if (axis.name == name) fail(name, fmt::format("mesh axis {} is named twice", name));
    axes_.push_back({std::string(name), parse_size(without_blanks(item.substr(equals + 1)), name)});
  }

  std::int64_t parse_size(std::string_view digits, std::string_view name) const {
    std::int64_t size = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, status] = std::from_chars(digits.data(), end, size);
    if (digits.empty() || status != std::errc() || stop != end || size < 1 || size > Mesh::kMaxDevices)
      fail(digits, fmt::format("the size of mesh axis {} is '{}'; expected a whole number from 1 to {}", name, digits,
                               Mesh::kMaxDevices));
    return size;
  }

  /// `part` is a part of the text.
  [[noreturn]] void fail(std::string_view part, const std::string& sentence) const {
    const auto offset = static_cast<std::size_t>(part.data() - text_.data());
    throw Error(ErrorCode::kInvalidArgument, sentence,
                TextPlace{std::string(text_), offset, std::max<std::size_t>(part.size(), 1)});
  }

  std::string_view text_;
  std::vector<MeshAxis> axes_;
};

}  // namespace

Mesh::Mesh(std::vector<MeshAxis> axes) : axes_(std::move(axes)) {
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const auto& [name, size] = axes_[i];
    if (!is_name(name))
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("mesh axis name '{}' must be letters and digits and begin with a letter", name));
    if (size < 1)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("mesh axis {} has size {}; expected at least 1", name, size));
    for (std::size_t j = 0; j < i; ++j)
      if (axes_[j].name == name)
        throw Error(ErrorCode::kInvalidArgument, fmt::format("mesh axis {} is named twice", name));
    if (size > kMaxDevices / devices)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("the mesh {} has more than {} devices", str(), kMaxDevices));
    devices *= size;
  }
  num_devices_ = static_cast<int>(devices);
}

std::int64_t Mesh::size(const std::vector<int>& axes) const {
  std::int64_t product = 1;
  for (const int axis : axes) product *= size(axis);
  return product;
}

std::optional<int> Mesh::find(std::string_view name) const {
  for (int axis = 0; axis < num_axes(); ++axis)
    if (this->name(axis) == name) return axis;
  return std::nullopt;
}

int Mesh::coordinate(int device, int axis) const {
  std::int64_t inner = 1;
  for (int minor = axis + 1; minor < num_axes(); ++minor) inner *= size(minor);
  return static_cast<int>(device / inner % size(axis));
}

std::vector<int> Mesh::coordinates(int device) const {
  std::vector<int> coordinates(axes_.size());
  for (int axis = num_axes() - 1; axis >= 0; --axis) {
    coordinates[static_cast<std::size_t>(axis)] = static_cast<int>(device % size(axis));
    device = static_cast<int>(device / size(axis));
  }
  return coordinates;
}

int Mesh::device(const std::vector<int>& coordinates) const {
  std::int64_t id = 0;
  for (int axis = 0; axis < num_axes(); ++axis) id = id * size(axis) + coordinates[static_cast<std::size_t>(axis)];
  return static_cast<int>(id);
}

int Mesh::with_coordinate(int device, int axis, int coordinate) const {
  std::vector<int> moved = coordinates(device);
  moved[static_cast<std::size_t>(axis)] = coordinate;
  return this->device(moved);
}

int Mesh::group_index(int device, const std::vector<int>& axes) const {
  std::int64_t index = 0;
  for (const int axis : axes) index = index * size(axis) + coordinate(device, axis);
  return static_cast<int>(index);
}

std::vector<int> Mesh::group(int device, const std::vector<int>& axes) const {
  std::vector<int> members(static_cast<std::size_t>(size(axes)));
  for (std::size_t index = 0; index < members.size(); ++index) {
    int member = device;
    auto rest = static_cast<std::int64_t>(index);
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      member = with_coordinate(member, *axis, static_cast<int>(rest % size(*axis)));
      rest /= size(*axis);
    }
    members[index] = member;
  }
  return members;
}

std::string Mesh::str() const {
  std::string text;
  for (const auto& [name, size] : axes_) text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, size);
  return text;
}

Mesh parse_mesh(std::string_view text) { return MeshParser(text).parse(); }

}  // namespace meshmul

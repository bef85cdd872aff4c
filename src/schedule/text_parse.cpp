// Reads the text form of a schedule: three header lines, declarations in any order, then the ranks.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/array_bytes.hpp"
#include "meshmul/error.hpp"
#include "meshmul/schedule.hpp"
#include "op_parser.hpp"
#include "text_cursor.hpp"

namespace meshmul {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  Schedule parse() {
    read_version();
    read_mesh();
    read_capabilities();
    bool more = cursor_.next_line();
    for (; more && cursor_.peek_word() != "rank"; more = cursor_.next_line()) read_declaration();
    for (; more; more = cursor_.next_line()) read_program_line();
    return std::move(schedule_);
  }

 private:
  void read_version() {
    if (!cursor_.next_line() || !cursor_.accept_word("meshmul") || !cursor_.accept_word("schedule"))
      cursor_.fail("a schedule opens with 'meshmul schedule 1'");
    const std::string_view version = cursor_.peek_token();
    if (cursor_.number("a version") != 1)
      cursor_.fail_at(version, fmt::format("version {} of the text form is not known; expected 1", version));
    cursor_.expect_end();
  }

  void read_mesh() {
    if (!cursor_.next_line()) cursor_.fail("expected 'mesh', found the end of the text");
    cursor_.expect_word("mesh");
    const std::string_view text = cursor_.rest();
    try {
      schedule_.contract.mesh = parse_mesh(text);
    } catch (const Error& error) {
      fail_within(text, error);
    }
    declarations_.num_ranks = schedule_.contract.mesh.num_devices();
    schedule_.ranks.resize(static_cast<std::size_t>(declarations_.num_ranks));
    rank_is_read_.resize(schedule_.ranks.size());
  }

  void read_capabilities() {
    if (!cursor_.next_line()) cursor_.fail("expected 'requires', found the end of the text");
    cursor_.expect_word("requires");
    Capabilities& capabilities = schedule_.capabilities;
    capabilities = {.get = false, .addressable = false, .strided = false, .barrier = false};
    if (!cursor_.accept_word("nothing")) {
      do {
        if (cursor_.accept_word("get"))
          capabilities.get = true;
        else if (cursor_.accept_word("addressable"))
          capabilities.addressable = true;
        else if (cursor_.accept_word("strided"))
          capabilities.strided = true;
        else if (cursor_.accept_word("barrier"))
          capabilities.barrier = true;
        else
          cursor_.fail_expected("get, addressable, strided, barrier or nothing");
      } while (!cursor_.at_end());
    }
    cursor_.expect_end();
  }

  void read_declaration() {
    if (cursor_.accept_word("statement"))
      read_statement();
    else if (cursor_.accept_word("displaced"))
      schedule_.contract.displaced = true;
    else if (cursor_.accept_word("buffer"))
      read_buffer_declaration();
    else if (cursor_.accept_word("signal"))
      schedule_.signals.push_back({std::string(declare("a signal", declarations_.signals))});
    else if (cursor_.accept_word("input"))
      schedule_.contract.inputs.push_back(read_holding());
    else if (cursor_.accept_word("output"))
      schedule_.contract.outputs.push_back(read_holding());
    else
      cursor_.fail_expected("statement, displaced, buffer, signal, input, output or rank");
    cursor_.expect_end();
  }

  void read_statement() {
    const std::string_view text = cursor_.rest();
    try {
      schedule_.contract.statements.push_back(parse_contract_statement(text, schedule_.contract.mesh));
    } catch (const Error& error) {
      fail_within(text, error);
    }
  }

  void read_buffer_declaration() {
    BufferDecl buffer;
    buffer.name = declare("a buffer", declarations_.buffers);
    const std::string_view dtype_name = cursor_.word("a dtype");
    const std::optional<Dtype> dtype = parse_dtype(dtype_name);
    if (!dtype) cursor_.fail_at(dtype_name, fmt::format("unknown dtype '{}'", dtype_name));
    buffer.dtype = *dtype;
    buffer.shape = cursor_.shape();
    if (!count_bytes(buffer.shape, size_bytes(buffer.dtype)))
      cursor_.fail_at(dtype_name, fmt::format("buffer {} has {}", buffer.name, more_bytes_than_count(buffer.shape)));
    buffer.symmetric = cursor_.accept_word("symmetric");
    if (!buffer.symmetric && !cursor_.accept_word("private")) cursor_.fail_expected("symmetric or private");
    schedule_.buffers.push_back(std::move(buffer));
  }

  // Reads a new name and gives it the next number.
  std::string_view declare(std::string_view what, NameTable& names) {
    const std::string_view name = cursor_.word(what);
    if (!names.emplace(name, static_cast<int>(names.size())).second)
      cursor_.fail_at(name, fmt::format("{} named {} is already declared", what, name));
    return name;
  }

  Holding read_holding() {
    Holding holding;
    holding.array = cursor_.word("an array");
    cursor_.expect_word("rank");
    holding.region.rank = cursor_.number_below(declarations_.num_ranks, "a rank");
    holding.global = cursor_.box();
    cursor_.expect_word("at");
    holding.region.buffer = read_buffer(cursor_, declarations_);
    holding.region.box = cursor_.box();
    return holding;
  }

  void read_program_line() {
    if (cursor_.peek_word() == "rank")
      read_rank();
    else if (cursor_.peek_word() == "lane")
      read_lane();
    else if (lane_ == nullptr)
      cursor_.fail_expected("'lane'");
    else
      read_op_line();
  }

  void read_op_line() {
    lane_->lines.push_back(cursor_.line());
    lane_->ops.push_back(read_op(cursor_, declarations_, rank_));
  }

  void read_rank() {
    cursor_.expect_word("rank");
    const std::string_view number = cursor_.peek_token();
    rank_ = cursor_.number_below(declarations_.num_ranks, "a rank");
    cursor_.expect_end();
    const auto i = static_cast<std::size_t>(rank_);
    if (rank_is_read_[i]) cursor_.fail_at(number, fmt::format("rank {} stands twice", rank_));
    rank_is_read_[i] = true;
    lane_ = nullptr;
  }

  void read_lane() {
    cursor_.expect_word("lane");
    const std::string_view name = cursor_.word("a lane");
    cursor_.expect_end();
    std::vector<Lane>& lanes = schedule_.ranks[static_cast<std::size_t>(rank_)].lanes;
    for (const Lane& lane : lanes)
      if (lane.name == name) cursor_.fail_at(name, fmt::format("rank {} already has a lane {}", rank_, name));
    lane_ = &lanes.emplace_back(Lane{std::string(name), {}});
  }

  // Moves the place of an error about a part of the text to the whole text.
  [[noreturn]] void fail_within(std::string_view part, const Error& error) {
    const std::size_t offset = error.place() ? std::min(error.place()->offset, part.size()) : 0;
    const std::size_t length = error.place() ? error.place()->length : part.size();
    cursor_.fail_at(cursor_.text().substr(cursor_.offset_of(part) + offset, length), error.what());
  }

  TextCursor cursor_;
  Schedule schedule_;
  Declarations declarations_;
  std::vector<bool> rank_is_read_;
  int rank_ = 0;
  Lane* lane_ = nullptr;  // the lane that ops are added to; none right after `rank`
};

}  // namespace

Schedule parse_schedule(std::string_view text) { return Parser(text).parse(); }

}  // namespace meshmul

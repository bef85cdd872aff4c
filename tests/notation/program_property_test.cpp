// Reading, printing and taking apart random programs and damaged texts.

#include <set>
#include <string>

#include "meshmul/error.hpp"
#include "meshmul/program.hpp"
#include "notation/damaged.hpp"
#include "notation/random_program.hpp"
#include "notation/random_statement.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_program;
using testing::any_statement;
using testing::check_property;
using testing::damaged;
using testing::ProgramCase;
using testing::StatementCase;

std::vector<ProgramStatement> all_statements(const Program& program) {
  std::vector<ProgramStatement> all;
  for (const ProgramItem& item : program.items) {
    if (const auto* repeat = std::get_if<Repeat>(&item))
      all.insert(all.end(), repeat->body.begin(), repeat->body.end());
    else
      all.push_back(std::get<ProgramStatement>(item));
  }
  return all;
}

TEST(ProgramProperty, PrintingAndParsingAreInverse) {
  check_property(1000, [] {
    const ProgramCase c = *any_program();
    const Program program = parse_program(c.text, c.mesh);
    RC_ASSERT(parse_program(to_string(program, c.mesh), c.mesh) == program);
  });
}

TEST(ProgramProperty, EverySizeIsKnown) {
  check_property(300, [] {
    const ProgramCase c = *any_program();
    check_sizes(parse_program(c.text, c.mesh));
  });
}

TEST(ProgramProperty, ValuesAreMadeOnceFromEarlierOnes) {
  check_property(500, [] {
    const ProgramCase c = *any_program();
    const Program program = parse_program(c.text, c.mesh);
    std::set<ValueId> made;
    for (const ProgramStatement& statement : all_statements(program))
      for (const ValueId result : results(statement)) {
        RC_ASSERT(made.insert(result).second);
        for (const Use& use : uses(statement)) RC_ASSERT(use.value < result);
      }
    for (ValueId id = 0; id < static_cast<ValueId>(program.values.size()); ++id) {
      const Value& value = program.value(id);
      RC_ASSERT(made.count(id) == (value.kind == ValueKind::kMade ? 1U : 0U));
      if (value.like) RC_ASSERT(*value.like < id);
    }
  });
}

TEST(ProgramProperty, EveryProductIsAStatement) {
  check_property(500, [] {
    const ProgramCase c = *any_program();
    const Program program = parse_program(c.text, c.mesh);
    for (const ProgramStatement& statement : all_statements(program)) {
      const auto* product = std::get_if<ProductStatement>(&statement);
      if (product == nullptr) continue;
      Product alone = product_of(program, *product);
      alone.a.name = "A";
      alone.b.name = "B";
      alone.c.name = "C";
      RC_ASSERT(parse_statement(to_string(alone, c.mesh), c.mesh) == Statement(alone));
    }
  });
}

TEST(ProgramProperty, NoTwoOutputsHaveOneName) {
  check_property(300, [] {
    const ProgramCase c = *any_program();
    const Program program = parse_program(c.text, c.mesh);
    std::set<std::string> names;
    RC_ASSERT(!outputs(program).empty());
    for (const ValueId id : outputs(program)) RC_ASSERT(names.insert(program.value(id).type.name).second);
  });
}

TEST(ProgramProperty, AProductOrChangeOfShardingIsAProgramAndBack) {
  check_property(500, [] {
    const StatementCase c = *any_statement();
    const auto program = to_program(c.statement);
    RC_ASSERT(program.has_value() != std::holds_alternative<Collective>(c.statement));
    if (!program) return;
    RC_ASSERT(to_statement(*program) == c.statement);
    RC_ASSERT(parse_program(to_string(c.statement, c.mesh), c.mesh) == *program);
    RC_ASSERT(parse_program(to_string(*program, c.mesh), c.mesh) == *program);
  });
}

TEST(ProgramProperty, DamagedTextIsAProgramOrAnErrorWithAPlace) {
  check_property(3000, [] {
    const ProgramCase c = *any_program();
    const std::string text = damaged(c.text, "[]{}(),_=*->?#\"\nlikerptgdUXIJd \xC3");
    try {
      const Program program = parse_program(text, c.mesh);
      RC_ASSERT(parse_program(to_string(program, c.mesh), c.mesh) == program);
    } catch (const Error& error) {
      RC_ASSERT(error.code() == ErrorCode::kInvalidArgument);
      RC_ASSERT(error.place().has_value());
      RC_ASSERT(error.place()->text == text);
      RC_ASSERT(error.place()->offset <= text.size());
    }
  });
}

}  // namespace
}  // namespace meshmul

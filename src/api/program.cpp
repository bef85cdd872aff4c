// Whole programs on a world: given arrays settle what the text leaves open, and outputs come back by name.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/did_you_mean.hpp"
#include "meshmul/error.hpp"
#include "meshmul/world.hpp"
#include "world_state.hpp"

namespace meshmul {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

void check_names(const Program& program, const NamedArrays& arrays) {
  std::vector<std::string> names;
  for (const ValueId id : inputs(program)) names.push_back(program.value(id).type.name);
  for (const std::string& name : names)
    if (!arrays.contains(name))
      refuse(fmt::format("no array is given for {}; the program takes {}", name, fmt::join(names, ", ")));
  for (const auto& [name, array] : arrays)
    if (std::ranges::find(names, name) == names.end())
      refuse(fmt::format("the program takes no array {}; it takes {}{}", name, fmt::join(names, ", "),
                         did_you_mean(name, names)));
}

// What `array` settles of value `id`. It must be as it is declared.
void take_type(Program& program, ValueId id, const ArrayType& array, const Mesh& mesh) {
  const ArrayType declared = program.value(id).type;
  bool fits = array.dtype == declared.dtype && array.num_dims() == declared.num_dims() &&
              (declared.open || array.sharding == declared.sharding);
  for (std::size_t d = 0; fits && d < declared.dims.size(); ++d)
    fits = declared.dims[d].size == kUnknownSize || declared.dims[d].size == array.dims[d].size;
  if (!fits)
    refuse(fmt::format("the program declares {}; the array that is given is {}", to_string(declared, mesh),
                       to_string(array, mesh)));
  for (std::size_t d = 0; d < declared.dims.size(); ++d)
    if (declared.dims[d].size == kUnknownSize) set_size(program, declared.dims[d].index, array.dims[d].size);
  program.value(id).type.sharding = array.sharding;
  program.value(id).type.open = false;
}

BuiltSchedule build(const CompiledProgram& compiled) {
  const ProgramArrays arrays = contract_arrays(compiled.plan);
  // In the same order as before gradients were written out.
  const Program& planned = compiled.plan.best.program;
  const std::vector<ValueId> given = inputs(planned);
  BuiltSchedule built{compiled.schedule, {}, {}, {}};
  for (const ProgramArray& array : arrays.inputs) {
    const auto number = static_cast<std::size_t>(std::ranges::find(given, array.value) - given.begin());
    built.inputs.push_back({array.name, number, array.slice});
  }
  auto array = arrays.outputs.begin();
  for (const ValueId output : outputs(planned)) {
    const ArrayType& type = planned.value(output).type;
    for (const auto end = array + (array->slice ? type.dims[0].size : 1); array != end; ++array)
      built.outputs.push_back({array->name, built.output_types.size(), array->slice});
    built.output_types.push_back(type);
  }
  return built;
}

}  // namespace

NamedArrays WorldState::run(const Program& program, const NamedArrays& inputs) {
  check_names(program, inputs);
  Program settled = program;
  std::vector<const Array*> arrays;
  for (const ValueId id : meshmul::inputs(program)) {
    arrays.push_back(&inputs.at(program.value(id).type.name));
    take_type(settled, id, arrays.back()->type(), mesh_);
  }
  // Read again, so that what is like a given array lies as that does.
  const std::string text = to_string(settled, mesh_);
  settled = parse_program(text, mesh_);
  check_sizes(settled);
  const auto build_program = [&] {
    const CompileOptions options{options_.plan, options_.lower, true};
    return build(compile(settled, mesh_, hardware_, *executor_, options));
  };
  const std::vector<Array> made = run("program\n" + text, build_program, arrays);
  NamedArrays results;
  const std::vector<ValueId> ids = outputs(settled);
  for (std::size_t i = 0; i < ids.size(); ++i) results.emplace(settled.value(ids[i]).type.name, made[i]);
  return results;
}

NamedArrays World::run(const Program& program, const NamedArrays& inputs) { return state_->run(program, inputs); }

NamedArrays World::run(std::string_view program, const NamedArrays& inputs) {
  return run(parse_program(program, mesh()), inputs);
}

}  // namespace meshmul

#include "world_state.hpp"

#include <algorithm>
#include <map>

#include "base/slices.hpp"
#include "execute/registry.hpp"
#include "execute/session_view.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/error.hpp"
#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

/// Each loaded schedule keeps its buffers, and its processes where ranks are processes, so only a few stay.
constexpr std::size_t kMaxLoadedSchedules = 8;

}  // namespace

WorldState::WorldState(std::string_view backend, Mesh mesh, WorldOptions options)
    : mesh_(std::move(mesh)),
      options_(std::move(options)),
      hardware_(find_hardware(options_.hardware)),
      executor_(&require_executor(std::string(backend), "backend")) {}

Array WorldState::make_array(Dtype dtype, const Shape& shape, const P& sharding,
                             const std::function<void(int, const Box&, HostArray&)>& fill) {
  auto data = std::make_shared<Array::Data>();
  data->world = shared_from_this();
  data->type.dtype = dtype;
  for (const std::int64_t size : shape) data->type.dims.push_back({"", size});
  data->type.sharding = sharding.resolve(mesh_, static_cast<int>(shape.size()));
  const bool partial = !data->type.sharding.unreduced.empty();
  std::map<std::string, std::shared_ptr<const HostArray>> known;  // by box, in its text form
  for (int rank = 0; rank < mesh_.num_devices(); ++rank) {
    const Box box = meshmul::local_box(data->type, mesh_, rank);
    std::shared_ptr<const HostArray>& same = known[partial ? std::to_string(rank) : box.str()];
    if (!same) {
      auto shard = std::make_shared<HostArray>(dtype, box.shape());
      fill(rank, box, *shard);
      same = std::move(shard);
    }
    data->shards.push_back(same);
  }
  return Array(std::move(data));
}

Array WorldState::scatter(Dtype dtype, const Shape& shape, const P& sharding,
                          const std::function<void(const Box&, View)>& read) {
  const Sharding resolved = sharding.resolve(mesh_, static_cast<int>(shape.size()));
  return make_array(dtype, shape, sharding, [&](int rank, const Box& global, HostArray& shard) {
    if (mesh_.group_index(rank, resolved.unreduced) == 0) read(global, shard.view());
  });
}

Plan WorldState::plan_statement(const Statement& statement) const {
  return plan(statement, mesh_, hardware_, options_.plan);
}

BuiltSchedule of_statement(Schedule schedule) {
  BuiltSchedule built{std::move(schedule), {}, {}, {}};
  const Statement& statement = single_statement(built.schedule.contract);
  for (const ArrayType* type : meshmul::inputs(statement)) built.inputs.push_back({type->name, built.inputs.size()});
  built.outputs = {{output(statement).name}};
  built.output_types = {output(statement)};
  return built;
}

Array WorldState::run(const Statement& statement, const std::vector<const Array*>& inputs) {
  const auto build = [&] {
    const CompileOptions options{options_.plan, options_.lower, true};
    return of_statement(compile(statement, mesh_, hardware_, *executor_, options).schedule);
  };
  return run(to_string(statement, mesh_), build, inputs).front();
}

WorldState::Loaded& WorldState::load(const std::string& key, const std::function<BuiltSchedule()>& build) {
  const auto found = std::find_if(loaded_.begin(), loaded_.end(), [&](const Loaded& l) { return l.key == key; });
  if (found != loaded_.end()) {
    loaded_.splice(loaded_.begin(), loaded_, found);
    return loaded_.front();
  }
  BuiltSchedule built = build();
  while (loaded_.size() >= kMaxLoadedSchedules) loaded_.pop_back();
  std::unique_ptr<Session> session = executor_->open(built.schedule, options_.execute);
  loaded_.push_front({key, std::move(built), std::move(session)});
  return loaded_.front();
}

// Shards go into the buffers where the contract wants them.
void WorldState::write_inputs(Loaded& loaded, const std::vector<const Array*>& inputs) {
  const auto& [key, built, session] = loaded;
  for (const Holding& holding : built.schedule.contract.inputs) {
    const ContractArray& array = *std::ranges::find(built.inputs, holding.array, &ContractArray::name);
    const HostArray& shard = *inputs[array.number]->data_->shards[static_cast<std::size_t>(holding.region.rank)];
    const View target = view_of(*session, built.schedule, holding.region);
    copy(target, array.slice ? slice_of(shard.view(), *array.slice) : shard.view(), {});
  }
}

std::vector<Array> WorldState::read_outputs(Loaded& loaded) {
  const auto& [key, built, session] = loaded;
  std::vector<std::shared_ptr<Array::Data>> made;
  for (ArrayType type : built.output_types) {
    for (Dim& dim : type.dims) dim.index.clear();
    type.name.clear();
    type.open = false;
    const std::vector<std::shared_ptr<const HostArray>> shards(static_cast<std::size_t>(mesh_.num_devices()));
    made.push_back(std::make_shared<Array::Data>(Array::Data{shared_from_this(), std::move(type), shards}));
  }
  std::map<std::pair<std::size_t, int>, std::shared_ptr<HostArray>> shards;  // by array and rank
  for (const Holding& holding : built.schedule.contract.outputs) {
    const ContractArray& array = *std::ranges::find(built.outputs, holding.array, &ContractArray::name);
    const ArrayType& type = made[array.number]->type;
    std::shared_ptr<HostArray>& shard = shards[{array.number, holding.region.rank}];
    if (!shard) shard = std::make_shared<HostArray>(type.dtype, local_box(type, mesh_, holding.region.rank).shape());
    const View target = array.slice ? slice_of(shard->view(), *array.slice) : shard->view();
    copy(target, view_of(*session, built.schedule, holding.region), {});
  }
  for (auto& [key_of_shard, shard] : shards)
    made[key_of_shard.first]->shards[static_cast<std::size_t>(key_of_shard.second)] = std::move(shard);
  std::vector<Array> outputs;
  for (std::shared_ptr<Array::Data>& data : made) outputs.push_back(Array(std::move(data)));
  return outputs;
}

std::vector<Array> WorldState::run(const std::string& key, const std::function<BuiltSchedule()>& build,
                                   const std::vector<const Array*>& inputs) {
  if (!poisoned_by_.empty())
    throw Error(ErrorCode::kRankFailed, "this world failed and needs reset(): " + poisoned_by_);
  for (const Array* input : inputs)
    if (of(*input).get() != this)
      throw Error(ErrorCode::kInvalidArgument, "an array of another world was given; arrays live on one world");
  Loaded& loaded = load(key, build);
  write_inputs(loaded, inputs);
  try {
    loaded.session->run();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kRankFailed) poisoned_by_ = error.what();
    throw;
  }
  return read_outputs(loaded);
}

void WorldState::reset() {
  loaded_.clear();
  poisoned_by_.clear();
}

}  // namespace meshmul

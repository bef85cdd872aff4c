#include "world_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "execute/session_view.hpp"
#include "kernels/kernels.hpp"
#include "meshmul/error.hpp"
#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

/// Each loaded schedule keeps its buffers, and its processes where ranks are processes, so only a few stay.
constexpr std::size_t kMaxLoadedSchedules = 8;

const Executor& executor_named(std::string_view backend) {
  if (const Executor* executor = find_executor(backend)) return *executor;
  std::vector<std::string> names;
  for (const Executor* executor : executors()) names.emplace_back(executor->name());
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("there is no backend '{}'; this build has {}", backend, fmt::join(names, ", ")));
}

}  // namespace

WorldState::WorldState(std::string_view backend, Mesh mesh, WorldOptions options)
    : mesh_(std::move(mesh)),
      options_(std::move(options)),
      hardware_(find_hardware(options_.hardware)),
      executor_(&executor_named(backend)) {}

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

Array WorldState::run(const Statement& statement, const std::vector<const Array*>& inputs) {
  const auto build = [&] {
    const CompileOptions options{options_.plan, options_.lower, true};
    return compile(statement, mesh_, hardware_, *executor_, options).schedule;
  };
  return run(to_string(statement, mesh_), build, inputs);
}

WorldState::Loaded& WorldState::load(const std::string& key, const std::function<Schedule()>& build) {
  const auto found = std::find_if(loaded_.begin(), loaded_.end(), [&](const Loaded& l) { return l.key == key; });
  if (found != loaded_.end()) {
    loaded_.splice(loaded_.begin(), loaded_, found);
    return loaded_.front();
  }
  Schedule schedule = build();
  while (loaded_.size() >= kMaxLoadedSchedules) loaded_.pop_back();
  std::unique_ptr<Session> session = executor_->open(schedule, options_.execute);
  loaded_.push_front({key, std::move(schedule), std::move(session)});
  return loaded_.front();
}

Array WorldState::run(const std::string& key, const std::function<Schedule()>& build,
                      const std::vector<const Array*>& inputs) {
  if (!poisoned_by_.empty())
    throw Error(ErrorCode::kRankFailed, "this world failed and needs reset(): " + poisoned_by_);
  for (const Array* input : inputs)
    if (of(*input).get() != this)
      throw Error(ErrorCode::kInvalidArgument, "an array of another world was given; arrays live on one world");
  auto& [name, schedule, session] = load(key, build);
  const Statement& statement = single_statement(schedule.contract);

  // 1. Shards into the buffers where the contract wants them.
  const std::vector<const ArrayType*> types = meshmul::inputs(statement);
  for (const Holding& holding : schedule.contract.inputs) {
    const auto position =
        std::find_if(types.begin(), types.end(), [&](const ArrayType* type) { return type->name == holding.array; });
    const Array& input = *inputs[static_cast<std::size_t>(position - types.begin())];
    const auto& shard = input.data_->shards[static_cast<std::size_t>(holding.region.rank)];
    copy(view_of(*session, schedule, holding.region), shard->view(), {});
  }
  // 2. One run.
  try {
    session->run();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kRankFailed) poisoned_by_ = error.what();
    throw;
  }
  // 3. The output out of its buffers.
  auto data = std::make_shared<Array::Data>();
  data->world = shared_from_this();
  data->type = output(statement);
  data->shards.resize(static_cast<std::size_t>(mesh_.num_devices()));
  for (const Holding& holding : schedule.contract.outputs) {
    auto shard = std::make_shared<HostArray>(data->type.dtype, holding.global.shape());
    copy(shard->view(), view_of(*session, schedule, holding.region), {});
    data->shards[static_cast<std::size_t>(holding.region.rank)] = std::move(shard);
  }
  for (Dim& dim : data->type.dims) dim.index.clear();
  data->type.name.clear();
  return Array(std::move(data));
}

void WorldState::reset() {
  loaded_.clear();
  poisoned_by_.clear();
}

}  // namespace meshmul

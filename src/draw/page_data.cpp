#include "draw/page_data.hpp"

#include "draw/array_data.hpp"
#include "draw/json_writer.hpp"
#include "draw/plan_data.hpp"
#include "draw/scope.hpp"
#include "draw/timeline_data.hpp"
#include "draw/timeline_tables.hpp"

namespace meshmul::drawing {
namespace {

PlanData plan_data_of(const Drawing& drawing, ArrayTable& arrays) {
  if (drawing.plan != nullptr) return plan_data(*drawing.plan, arrays);
  if (drawing.program_plan != nullptr) return plan_data(*drawing.program_plan, arrays);
  return contract_data(drawing.schedule->contract, arrays);
}

void write_tables(JsonWriter& json, const std::vector<Table>& tables) {
  json.begin_array();
  for (const Table& table : tables) {
    json.line_break();
    json.begin_object().key("title").value(table.title).key("head").values(table.head).key("rows").begin_array();
    for (const auto& row : table.rows) json.values(row);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_numbers(JsonWriter& json, const std::vector<std::int64_t>& numbers) {
  json.begin_array();
  for (const std::int64_t number : numbers) json.value(number);
  json.end_array();
}

void write_mesh(JsonWriter& json, const Mesh& mesh, const RankRange& ranks) {
  json.key("axes").begin_array();
  for (const MeshAxis& axis : mesh.axes()) json.begin_array().value(axis.name).value(axis.size).end_array();
  json.end_array().key("ranks").begin_array().value(ranks.first).value(ranks.last).end_array();
}

void write_steps(JsonWriter& json, const std::vector<PictureStep>& steps) {
  json.begin_array();
  for (const PictureStep& step : steps) {
    json.begin_object().key("title").value(step.title).key("before");
    write_numbers(json, step.before);
    json.key("after");
    write_numbers(json, step.after);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

PageData page_data(const Drawing& drawing) {
  const RankRange range = ranks(drawing);
  ArrayTable arrays(mesh_of(drawing));
  PlanData plan = plan_data_of(drawing, arrays);
  if (!drawing.note.empty()) plan.sentences.emplace(plan.sentences.begin(), drawing.note);
  JsonWriter json;
  json.begin_object().key("title").value(plan.title).key("sentences").values(plan.sentences);
  write_mesh(json, mesh_of(drawing), range);
  json.key("planTables");
  write_tables(json, plan.tables);
  json.key("arrays");
  arrays.write(json, range);
  json.key("steps");
  write_steps(json, plan.steps);
  json.key("timeTables");
  write_tables(json, timeline_tables(drawing));
  if (drawing.schedule != nullptr) write_ops(json, drawing);
  json.key("timelines").begin_array();
  for (const Timeline* timeline : timelines(drawing)) write_timeline(json, drawing, *timeline);
  json.end_array().end_object();
  return {plan.title.substr(0, plan.title.find('\n')), std::move(json.text())};
}

}  // namespace meshmul::drawing

// From a plan to a schedule: the program of every rank, as text, and its proof. A broken copy of it does not verify.

#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;

  const Mesh mesh = parse_mesh("X=2");
  const Statement statement = parse_statement("A[I=4_X, J=3] * B[J_X, K=5] -> C[I_X, K]", mesh);
  Schedule schedule = lower(plan(statement, mesh, find_hardware("cpu")));
  std::cout << to_string(schedule) << "\n";
  std::cout << "findings: " << verify(schedule).size() << "\n";

  // Forget the last op of the first lane that has one: now something is missing.
  for (Lane& lane : schedule.ranks[0].lanes)
    if (!lane.ops.empty()) {
      lane.ops.pop_back();
      break;
    }
  const std::vector<Finding> findings = verify(schedule);
  for (const Finding& finding : findings) std::cout << to_string(finding, schedule) << "\n";
  return findings.empty() ? 1 : 0;
}

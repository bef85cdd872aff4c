#include "team.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "execute/cpu/own_cores.hpp"

namespace meshmul::measure {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Team::Team(int size) : ready_(size + 1), done_(size + 1), size_(size), periods_(static_cast<std::size_t>(size)) {
  for (int number = 0; number < size; ++number) threads_.emplace_back([this, number] { serve(number); });
}

Team::~Team() {
  work_ = nullptr;
  ready_.arrive_and_wait();
}

void Team::serve(int number) {
  keep_to_own_cores(number, size_);
  for (;;) {
    ready_.arrive_and_wait();
    if (work_ == nullptr) return;
    Period& period = periods_[static_cast<std::size_t>(number)];
    period.begin = now();
    (*work_)(number);
    period.end = now();
    done_.arrive_and_wait();
  }
}

double Team::run(const std::function<void(int)>& work) {
  work_ = &work;
  ready_.arrive_and_wait();
  done_.arrive_and_wait();
  const auto begins_first = [](const Period& a, const Period& b) { return a.begin < b.begin; };
  const auto ends_first = [](const Period& a, const Period& b) { return a.end < b.end; };
  return std::max_element(periods_.begin(), periods_.end(), ends_first)->end -
         std::min_element(periods_.begin(), periods_.end(), begins_first)->begin;
}

}  // namespace meshmul::measure

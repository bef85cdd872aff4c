#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/did_you_mean.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  return names;
}

bool looks_like_an_option(const std::string& word) { return word.starts_with('-') && word != "-" && word != "->"; }

/// Says which of the arguments that nothing took is wrong, options first: a misspelt option leaves its value behind.
void refuse_leftovers(const CLI::App& verb) {
  const std::vector<std::string> leftovers = verb.remaining();
  if (leftovers.empty()) return;
  const auto option = std::find_if(leftovers.begin(), leftovers.end(), looks_like_an_option);
  if (option != leftovers.end()) {
    const std::string name = option->substr(0, option->find('='));
    refuse(fmt::format("{} has no option {}{}", verb.get_name(), name, did_you_mean(name, option_names(verb))));
  }
  const bool takes_statement = verb.get_option_no_throw("STATEMENT") != nullptr;
  refuse(fmt::format("{} does not expect a further argument \"{}\"{}", verb.get_name(), leftovers.front(),
                     takes_statement ? "; a statement is one argument, in quotes" : ""));
}

/// An option can lack its value after the last argument, or after its own `=`; and one that takes a value can be given
/// twice.
void refuse_mismatch(const CLI::App& verb, const std::vector<std::string>& arguments) {
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_items_expected_min() == 0) continue;
    const bool is_last = !arguments.empty() && option->check_name(arguments.back());
    const bool is_empty = std::find(arguments.begin(), arguments.end(), option->get_name() + "=") != arguments.end();
    if (is_last || is_empty) refuse(option->get_name() + " needs a value");
    if (option->get_items_expected_max() == 1 && option->count() > 1)
      refuse(fmt::format("{} is given {} times", option->get_name(), option->count()));
  }
}

/// A variable of the shell that is not set leaves an empty value, and what would be answered is another question.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands())
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_items_expected_min() == 0 || option->get_lnames().empty()) continue;
      for (const std::string& value : option->results())
        if (value.empty()) refuse(option->get_name() + " needs a value");
    }
}

}  // namespace

void parse_arguments(CLI::App& app, const std::vector<std::string>& arguments) {
  // A word in the place of the verb is a verb; CLI11 would count it among what is left over.
  if (!arguments.empty() && !arguments.front().starts_with('-')) {
    const std::vector<std::string> names = verb_names(app);
    if (std::find(names.begin(), names.end(), arguments.front()) == names.end())
      refuse(fmt::format("there is no verb \"{}\"; the verbs are {}{}", arguments.front(), fmt::join(names, ", "),
                         did_you_mean(arguments.front(), names)));
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp&) {
    throw;
  } catch (const CLI::CallForVersion&) {
    throw;
  } catch (const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    const CLI::App& verb = verbs.empty() ? app : *verbs.front();
    refuse_leftovers(verb);
    refuse_mismatch(verb, arguments);
    refuse(fmt::format("{}: {}", verb.get_name(), error.what()));
  }
  refuse_empty_values(app);
}

CLI::Option* add_value(CLI::App& app, const std::string& name, std::string& value, const std::string& help,
                       const std::string& value_name) {
  return app.add_option(name, value, help)->type_name(value_name);
}

}  // namespace meshmul::cli

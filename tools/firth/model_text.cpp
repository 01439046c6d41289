#include "model_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <firth/count.hpp>

#include "shared_options.hpp"

namespace firth::cli {
namespace {

const char* normal_form(Normalization form) {
  if (form == Normalization::none) return "--normalize none";
  return form == Normalization::nfc ? "--normalize nfc" : "--normalize nfkc";
}

bool takes_tokenization(InputFormat format) {
  return format == InputFormat::automatic || format == InputFormat::text || format == InputFormat::jsonl ||
         format == InputFormat::csv || format == InputFormat::tsv;
}

bool is_off(bool flag) {
  return !flag;
}

/// Only flags can be left out: other options have a value for it.
template <class Value>
bool is_off(Value /*value*/) {
  return false;
}

/// What is followed, and what is contradicted, in the words of the command line.
struct Differences {
  std::vector<std::string> followed;
  std::vector<std::string> contradicted;

  template <class Value>
  void settle(bool given, Value& value, const Value& stored, const std::string& option) {
    if (value == stored) return;
    if (given) {
      contradicted.push_back(fmt::format("{} {}", is_off(stored) ? "without" : "with", option));
    } else {
      value = stored;
      followed.push_back(option);
    }
  }
};

}  // namespace

void ModelText::declare(OptionTable& options, TextOptions& text) {
  options_ = &options;
  text_ = &text;
  declare_text_options(options, text);
  options.flag("--no-preprocessing", ignored_,
               "Do not prepare the text as the model's own text was (--lowercase, --tokenize, --normalize, "
               "--stream).");
}

bool ModelText::is_given(const std::string& name) const {
  const auto& infos = options_->infos();
  return std::any_of(infos.begin(), infos.end(),
                     [&](const OptionInfo& info) { return info.names == name && info.given(); });
}

void ModelText::follow(const std::optional<Preprocessing>& stored, const std::string& model,
                       const std::vector<std::string>& inputs, Session& session, FollowWhat what) const {
  const bool counted = std::any_of(inputs.begin(), inputs.end(), [](const std::string& path) {
    return path != "-" && is_count_file(path);
  });
  if (!stored || ignored_ || counted || text_->format == InputFormat::counts) return;
  Differences found;
  found.settle(is_given("--normalize"), text_->normalize, stored->normalize, normal_form(stored->normalize));
  found.settle(is_given("--lowercase"), text_->lowercase, stored->lowercase, "--lowercase");
  if (takes_tokenization(text_->format)) {
    found.settle(is_given("--tokenize"), text_->tokenize, stored->tokenize, "--tokenize");
  }
  if (what == FollowWhat::all) {
    const bool given = is_given("--lines") || is_given("--stream");
    found.settle(given, text_->boundaries, stored->boundaries,
                 stored->boundaries == TextBoundaries::stream ? "--stream" : "--lines");
  }
  if (!found.followed.empty())
    session.say(fmt::format("text is read as that of {} was: {}", model, fmt::join(found.followed, " ")));
  if (!found.contradicted.empty()) {
    session.run().progress->warn(
        fmt::format("{} was made from text that was read {}: figures and classes may be wrong", model,
                    fmt::join(found.contradicted, " and ")));
  }
}

}  // namespace firth::cli

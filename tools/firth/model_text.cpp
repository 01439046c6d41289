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

}  // namespace

std::string reading_name(const Preprocessing& done) {
  std::vector<std::string> options;
  if (done.normalize != Normalization::none) options.emplace_back(normal_form(done.normalize));
  if (done.lowercase) options.emplace_back("--lowercase");
  if (done.tokenize) options.emplace_back("--tokenize");
  if (done.boundaries == TextBoundaries::stream) options.emplace_back("--stream");
  return options.empty() ? "as it is" : fmt::format("{}", fmt::join(options, " "));
}

/// What is followed, and what is contradicted, in the words of the command line.
struct ModelText::Differences {
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

  void warn(const std::string& model, Session& session) const {
    if (contradicted.empty()) return;
    session.run().progress->warn(
        fmt::format("{} was made from text that was read {}: figures and classes may be wrong", model,
                    fmt::join(contradicted, " and ")));
  }
};

void ModelText::declare(OptionTable& options, TextOptions& text) {
  options_ = &options;
  text_ = &text;
  declare_text_options(options, text);
  options.flag(
      "--no-preprocessing", ignored_,
      "Do not read the text as the model's own text was read (--lowercase, --tokenize, --normalize, --stream).");
}

bool ModelText::is_given(const std::string& name) const {
  const auto& infos = options_->infos();
  return std::any_of(infos.begin(), infos.end(),
                     [&](const OptionInfo& info) { return info.names == name && info.given(); });
}

bool ModelText::reads_words(const std::vector<std::string>& inputs) const {
  const bool counted = std::any_of(inputs.begin(), inputs.end(), [](const std::string& path) {
    return path != "-" && is_count_file(path);
  });
  return !ignored_ && !counted && text_->format != InputFormat::counts;
}

template <class Given>
ModelText::Differences ModelText::settle(TextOptions& text, const Preprocessing& stored, FollowWhat what,
                                         Given given) {
  Differences found;
  found.settle(given("--normalize"), text.normalize, stored.normalize, normal_form(stored.normalize));
  found.settle(given("--lowercase"), text.lowercase, stored.lowercase, "--lowercase");
  if (takes_tokenization(text.format)) {
    found.settle(given("--tokenize"), text.tokenize, stored.tokenize, "--tokenize");
  }
  if (what == FollowWhat::all) {
    found.settle(given("--lines") || given("--stream"), text.boundaries, stored.boundaries,
                 stored.boundaries == TextBoundaries::stream ? "--stream" : "--lines");
  }
  return found;
}

void ModelText::follow(const std::optional<Preprocessing>& stored, const std::string& model,
                       const std::vector<std::string>& inputs, Session& session, FollowWhat what) const {
  if (!stored || !reads_words(inputs)) return;
  const Differences found = settle(*text_, *stored, what, [&](const char* name) { return is_given(name); });
  if (!found.followed.empty())
    session.say(fmt::format("text is read as that of {} was: {}", model, fmt::join(found.followed, " ")));
  found.warn(model, session);
}

TextOptions ModelText::reading_of(const std::optional<Preprocessing>& stored, const std::string& model,
                                  const std::vector<std::string>& inputs, Session& session,
                                  FollowWhat what) const {
  TextOptions text = *text_;
  if (!stored || !reads_words(inputs)) return text;
  settle(text, *stored, what, [&](const char* name) { return is_given(name); }).warn(model, session);
  return text;
}

}  // namespace firth::cli

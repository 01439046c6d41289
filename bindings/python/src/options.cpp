#include "options.hpp"

#include <algorithm>
#include <firth/error.hpp>

#include "strings.hpp"

namespace firth::python {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

py::object OptionReader::take(const char* name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.emplace_back(name);
  return given_.contains(name) ? py::object(given_[name]) : py::none();
}

OptionReader& OptionReader::path(const char* name, std::string& field) {
  const py::object given = take(name);
  if (!given.is_none()) field = from_path(given);
  return *this;
}

void OptionReader::finish() const {
  for (const auto& [key, value] : given_) {
    const auto name = py::cast<std::string>(key);
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    throw UsageError(what_ + " has no option '" + name + "'", "its options are " + joined(known_));
  }
}

void OptionReader::refuse(const char* name, const py::object& given) const {
  throw UsageError(std::string(name) + " cannot be " + py::cast<std::string>(py::repr(given)),
                   "see the options of " + what_);
}

void OptionReader::refuse_choice(const char* name, const py::object& given,
                                 const std::vector<std::string>& names) const {
  throw UsageError(std::string(name) + " cannot be " + py::cast<std::string>(py::repr(given)),
                   "use one of " + joined(names));
}

void read_checkpoint_options(OptionReader& reader, CheckpointOptions& checkpoint) {
  reader.path("checkpoint", checkpoint.file)
      .value("checkpoint_seconds", checkpoint.seconds)
      .value("resume", checkpoint.resume);
}

void read_text_options(OptionReader& reader, TextOptions& text) {
  reader
      .choice("format", text.format,
              {{"auto", InputFormat::automatic},
               {"text", InputFormat::text},
               {"conllu", InputFormat::conllu},
               {"columns", InputFormat::columns},
               {"jsonl", InputFormat::jsonl},
               {"csv", InputFormat::csv},
               {"tsv", InputFormat::tsv},
               {"ids", InputFormat::ids},
               {"u16", InputFormat::ids16},
               {"u32", InputFormat::ids32},
               {"counts", InputFormat::counts}})
      .value("column", text.column)
      .value("field", text.field)
      .value("sequence_end", text.sequence_end)
      .path("id_names", text.id_names)
      .choice("boundaries", text.boundaries,
              {{"lines", TextBoundaries::lines}, {"stream", TextBoundaries::stream}})
      .value("lowercase", text.lowercase)
      .value("tokenize", text.tokenize)
      .value("squeeze", text.squeeze)
      .choice("invalid_utf8", text.invalid_utf8,
              {{"error", InvalidUtf8::error}, {"replace", InvalidUtf8::replace}});
  read_normalization(reader, text.normalize);
}

void read_normalization(OptionReader& reader, Normalization& form) {
  reader.choice("normalize", form,
                {{"none", Normalization::none}, {"nfc", Normalization::nfc}, {"nfkc", Normalization::nfkc}});
}

void read_vocabulary_options(OptionReader& reader, VocabularyOptions& vocabulary) {
  reader.value("min_count", vocabulary.min_count)
      .value("max_vocab", vocabulary.max_vocab)
      .path("vocab", vocabulary.vocab_file)
      .choice("rare", vocabulary.rare,
              {{"unk", RarePolicy::unk}, {"break", RarePolicy::no_pairs}, {"drop", RarePolicy::drop}});
}

CountOptions count_options(const py::dict& given) {
  CountOptions options;
  OptionReader reader("counting", given);
  read_text_options(reader, options.text);
  read_vocabulary_options(reader, options.vocabulary);
  reader.value("distances", options.distances).value("held_out_share", options.held_out_share).finish();
  return options;
}

py::object as_options(const std::optional<Preprocessing>& done) {
  if (!done) return py::none();
  py::dict options;
  options["boundaries"] = done->boundaries == TextBoundaries::stream ? "stream" : "lines";
  options["normalize"] = done->normalize == Normalization::none ? "none" : "nfc";
  if (done->normalize == Normalization::nfkc) options["normalize"] = "nfkc";
  options["lowercase"] = done->lowercase;
  options["tokenize"] = done->tokenize;
  return options;
}

TextOptions text_options(const py::dict& given) {
  TextOptions options;
  OptionReader reader("reading text", given);
  read_text_options(reader, options);
  reader.finish();
  return options;
}

}  // namespace firth::python

#include "lm/srilm_classes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/internals.hpp"
#include "base/stage.hpp"
#include "lm/model.hpp"
#include "lm/text_number.hpp"
#include "text/line_reader.hpp"
#include "text/text_file.hpp"

namespace firth {
namespace lm {
namespace {

constexpr double kTolerance = 1e-3;
constexpr double kNotGiven = -1;

/// One line of the file.
struct Line {
  std::string_view name;
  double probability = kNotGiven;
  std::string_view word;
};

Line parse_line(std::string_view text, const SourceLocation& where) {
  std::vector<std::string_view> fields;
  for (std::string_view f = text::next_field(text); !f.empty(); f = text::next_field(text))
    fields.push_back(f);
  if (fields.size() < 2) {
    throw InputError(where, fmt::format("class '{}' without a word", fields.front()),
                     "a line is 'CLASS probability word'");
  }
  Line line{fields[0], kNotGiven, fields.back()};
  const auto number = fields.size() > 2 ? parse_number(fields[1]) : std::nullopt;
  if (fields.size() > 3 || (fields.size() == 3 && !number)) {
    throw InputError(where, fmt::format("class '{}' has an expansion of several words", fields[0]),
                     "Firth needs single words: join them, e.g. New_York, in this file and in the text");
  }
  if (!number) return line;
  if (!(*number >= 0 && *number <= 1 + kTolerance)) {
    throw InputError(where, fmt::format("'{}' is not a probability", fields[1]),
                     "write a number from 0 to 1");
  }
  line.probability = *number;
  return line;
}

void check_class_word(const Line& line, const SourceLocation& where) {
  if (line.word != kBeginName && line.word != kEndName) return;
  throw InputError(where, fmt::format("'{}' cannot be in a class", line.word), "leave it out of the classes");
}

void check_same_form(const WordClass& own, const Line& line, const SourceLocation& where) {
  if (own.words.empty()) return;
  if ((own.words.front().probability == kNotGiven) == (line.probability == kNotGiven)) return;
  throw InputError(where, fmt::format("class '{}' has words with and without a probability", own.name),
                   "give all of them or none");
}

/// All words of the class have a probability, or none has. `left_out` is that of <unk>, which is not among them.
void normalise(WordClass& own, double left_out, const SourceLocation& where, const RunOptions& run) {
  std::size_t given = 0;
  double sum = 0;
  for (const ClassWord& word : own.words) {
    given += word.probability != kNotGiven ? 1 : 0;
    sum += word.probability != kNotGiven ? word.probability : 0;
  }
  if (given != 0 && sum <= 0) {
    throw InputError(where, fmt::format("the probabilities of class '{}' add up to 0", own.name),
                     "give a word of the class a probability above 0");
  }
  if (given != 0 && std::abs(sum + left_out - 1) > kTolerance) {
    base::warn(run, fmt::format("{}: the probabilities of class '{}' add up to {:.6g}; they are scaled to 1",
                                where.path, own.name, sum + left_out));
  }
  for (ClassWord& word : own.words) {
    word.probability = given == 0 ? 1 / static_cast<double>(own.words.size()) : word.probability / sum;
  }
}

}  // namespace

std::vector<WordClass> read_srilm_classes(const std::string& path, const RunOptions& run) {
  text::LineReader lines(path, run);
  std::vector<WordClass> classes;
  std::unordered_map<std::string, double> left_out;  // <unk> is a class of its own in every model
  std::unordered_map<std::string, std::size_t> number;
  std::unordered_map<std::string, std::size_t> class_of;
  for (std::string_view text; lines.next(text);) {
    std::string_view rest = text;
    if (text::next_field(rest).empty()) continue;
    const Line line = parse_line(text, lines.where());
    check_class_word(line, lines.where());
    if (line.word == kUnknownName) {
      left_out[std::string(line.name)] += line.probability == kNotGiven ? 0 : line.probability;
      continue;
    }
    const auto [own, fresh] = number.try_emplace(std::string(line.name), classes.size());
    if (fresh) classes.push_back({std::string(line.name), {}});
    const auto [place, new_word] = class_of.try_emplace(std::string(line.word), own->second);
    if (!new_word) {
      throw InputError(
          lines.where(),
          fmt::format("word '{}' is in class '{}' already", line.word, classes[place->second].name),
          "Firth needs one class per word: keep the line with the higher probability");
    }
    check_same_form(classes[own->second], line, lines.where());
    classes[own->second].words.push_back({std::string(line.word), line.probability});
  }
  if (classes.empty()) throw InputError({path}, "no classes", "a line is 'CLASS probability word'");
  for (WordClass& own : classes) normalise(own, left_out[own.name], {path}, run);
  return classes;
}

}  // namespace lm

void save_srilm_classes(const std::string& path, const LanguageModel& model) {
  if (!model.has_classes()) throw UsageError("this model has no classes", "train one with train_class_lm()");
  const lm::Component& component = base::internals(model).first();
  const lm::Members members = component.members();
  text::TextFile file(path);
  for (lm::Symbol symbol = lm::kSpecialSymbols; symbol < component.classes.size(); ++symbol) {
    for (const WordId word : members.of(symbol)) {
      if (component.classes[symbol] == component.words[word]) continue;  // a word without a class
      file.write(fmt::format("{} {:.17g} {}\n", component.classes[symbol], component.emission[word],
                             component.words[word]));
    }
  }
  file.commit();
}

}  // namespace firth

// Files of hypotheses and references.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "firth/rescore.hpp"
#include "text/inputs.hpp"
#include "text/line_reader.hpp"

namespace firth {
namespace {

constexpr std::string_view kBar = "|||";
constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The part before `separator`; `rest` is what follows it.
std::string_view part_before(std::string_view& rest, std::string_view separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + separator.size()));
  return part;
}

bool is_score_name(std::string_view field) {
  return field.ends_with('=') || field.ends_with(':');
}

class NbestReader {
 public:
  explicit NbestReader(text::LineReader& lines) : lines_(lines) {}

  std::vector<NbestList> read() {
    for (std::string_view line; lines_.next(line);) {
      if (!trimmed(line).empty()) add(line);
    }
    if (lists_.empty()) throw InputError({lines_.path()}, "there are no hypotheses");
    return std::move(lists_);
  }

 private:
  void add(std::string_view line) {
    NbestHypothesis hypothesis;
    std::string_view id;
    if (line.find(kBar) != std::string_view::npos) {
      id = trimmed(part_before(line, kBar));
      hypothesis.words = trimmed(part_before(line, kBar));
      add_scores(part_before(line, kBar), hypothesis);
    } else if (line.find('\t') != std::string_view::npos) {
      id = trimmed(part_before(line, "\t"));
      const std::size_t words = line.rfind('\t');
      if (words == std::string_view::npos) refuse();
      add_scores(line.substr(0, words), hypothesis);
      hypothesis.words = trimmed(line.substr(words + 1));
    } else {
      refuse();
    }
    if (id.empty()) refuse();
    check_number(hypothesis.scores.size());
    if (lists_.empty() || lists_.back().id != id) lists_.push_back({std::string(id), {}});
    lists_.back().hypotheses.push_back(std::move(hypothesis));
  }

  void add_scores(std::string_view text, NbestHypothesis& hypothesis) const {
    for (std::string_view field = text::next_field(text); !field.empty(); field = text::next_field(text)) {
      if (is_score_name(field)) continue;
      const auto score = base::parse_number<double>(field);
      if (!score || !std::isfinite(*score)) {
        throw InputError(lines_.where(), fmt::format("'{}' is not a score", field), "scores are numbers");
      }
      hypothesis.scores.push_back(*score);
    }
  }

  void check_number(std::size_t scores) {
    if (!scores_) scores_ = scores;
    if (scores == *scores_) return;
    throw InputError(lines_.where(),
                     fmt::format("{} scores where the first hypothesis has {}", scores, *scores_),
                     "give every hypothesis the same scores");
  }

  [[noreturn]] void refuse() const {
    throw InputError(lines_.where(), "this is not a hypothesis",
                     "write ID ||| words ||| scores, or ID, scores and words with tabs between them");
  }

  text::LineReader& lines_;
  std::vector<NbestList> lists_;
  std::optional<std::size_t> scores_;
};

}  // namespace

std::vector<NbestList> load_nbest(const Inputs& inputs, const RunOptions& run) {
  text::LineReader lines(text::expand_inputs(inputs, run.stop), run);
  return NbestReader(lines).read();
}

NbestReferences load_references(const Inputs& list, const RunOptions& run) {
  text::LineReader lines(list, run);
  NbestReferences references;
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    const std::string_view id = text::next_field(rest);
    if (!id.empty()) references.emplace_back(id, trimmed(rest));
  }
  return references;
}

}  // namespace firth

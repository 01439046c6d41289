#include "lm/arpa_write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <iterator>

#include "base/internals.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "lm/model.hpp"
#include "text/text_file.hpp"

namespace firth {
namespace lm {
namespace {

constexpr double kLogZero = -99;  // as SRILM writes it

double log10_of(double p) {
  return p > 0 ? std::max(std::log10(p), kLogZero) : kLogZero;
}

/// Text on its way, in large pieces.
class Pieces {
 public:
  explicit Pieces(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}

  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    if (text_.size() >= kPiece) flush();
  }

  void flush() {
    sink_(std::string_view(text_.data(), text_.size()));
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::function<void(std::string_view)> sink_;
  fmt::memory_buffer text_;
};

void write_level(Pieces& out, const Trie& trie, const Names& names, int level) {
  const TrieArrays& arrays = trie.arrays();
  const auto index = static_cast<std::size_t>(level);
  LevelWalker walker(trie, level);
  out.add("\n\\{}-grams:\n", level);
  for (std::uint64_t entry = arrays.level_begin[index - 1]; entry < arrays.level_begin[index]; ++entry) {
    out.add("{:.9g}", log10_of(arrays.probabilities[entry]));
    char gap = '\t';
    for (const Symbol symbol : walker.symbols(entry)) {
      out.add("{}{}", gap, names[symbol]);
      gap = ' ';
    }
    const bool context = level < trie.order();
    if (context) out.add("\t{:.9g}", log10_of(arrays.backoffs[entry + 1]));
    out.add("\n");
  }
}

void format_arpa(const Trie& trie, const Names& names, const std::function<void(std::string_view)>& sink) {
  Pieces out(sink);
  out.add("\\data\\\n");
  const auto levels = trie.arrays().level_begin;
  for (int level = 1; level <= trie.order(); ++level) {
    const auto index = static_cast<std::size_t>(level);
    out.add("ngram {}={}\n", level, levels[index] - levels[index - 1]);
  }
  for (int level = 1; level <= trie.order(); ++level) write_level(out, trie, names, level);
  out.add("\n\\end\\\n");
  out.flush();
}

}  // namespace

void write_arpa(const std::string& path, const Trie& trie, const Names& names) {
  text::TextFile file(path);
  format_arpa(trie, names, [&](std::string_view text) { file.write(text); });
  file.commit();
}

}  // namespace lm

void save_arpa(const std::string& path, const LanguageModel& model) {
  if (!base::internals(model).single()) {
    throw UsageError("a mixture has no n-grams of its own", "make one model of it with expand_lm()");
  }
  const lm::Component& component = base::internals(model).first();
  lm::write_arpa(path, component.trie, component.symbol_names());
}

std::uint64_t arpa_bytes(const LanguageModel& model) {
  const lm::Component& component = base::internals(model).first();
  std::uint64_t bytes = 0;
  lm::format_arpa(component.trie, component.symbol_names(),
                  [&](std::string_view text) { bytes += text.size(); });
  return bytes;
}

}  // namespace firth

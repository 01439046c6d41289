// 256 values for all probabilities of a trie, chosen so that running text loses least.
#include "lm/quantize.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/internals.hpp"
#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "firth/class_lm.hpp"
#include "lm/model.hpp"

namespace firth {
namespace lm {
namespace {

constexpr std::size_t kValues = 256;
constexpr double kShareOfRest = 0.02;  // the error of a sum, of what is left to other words

/// Logarithms of probabilities with their weights, in narrow bins.
class LogHistogram {
 public:
  /// For probabilities from `least` > 0 to 1.
  explicit LogHistogram(double least) : least_(std::min(std::log(least), -1e-9)) {}

  void add(double probability, double weight) {
    const double log = std::min(0.0, std::log(probability));
    const double place = (1 - log / least_) * static_cast<double>(kBins);
    Bin& bin = bins_[std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, place)))];
    bin.weight += weight;
    bin.sum += weight * log;
  }

  /// `count` logarithms, or fewer if there are fewer bins, rising: those with the least weighted square of the distance
  /// to the nearest, as far as Lloyd's rounds find them.
  std::vector<double> centres(std::size_t count) const {
    std::vector<Bin> used;
    std::copy_if(bins_.begin(), bins_.end(), std::back_inserter(used),
                 [](const Bin& b) { return b.weight > 0; });
    if (used.size() <= count) {
      std::vector<double> all;
      all.reserve(used.size());
      for (const Bin& bin : used) all.push_back(bin.mean());
      return all;
    }
    std::vector<double> centres = first_centres(count);
    for (int round = 0; round < kRounds; ++round) improve(used, centres);
    return centres;
  }

 private:
  struct Bin {
    double weight = 0;
    double sum = 0;
    double mean() const { return sum / weight; }
  };

  /// The best density of values is that of the weights to the power of a third (Panter & Dite 1951).
  std::vector<double> first_centres(std::size_t count) const {
    std::vector<double> parts;
    for (std::size_t begin = 0; begin < kBins; begin += kBins / kParts) {
      double weight = 0;
      for (std::size_t i = begin; i < begin + kBins / kParts; ++i) weight += bins_[i].weight;
      parts.push_back(std::cbrt(weight));
    }
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::vector<double> centres;
    double before = 0;
    std::size_t part = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double due = (static_cast<double>(i) + 0.5) / static_cast<double>(count) * all;
      while (part + 1 < kParts && before + parts[part] < due) before += parts[part++];
      const double share = parts[part] > 0 ? std::min(1.0, (due - before) / parts[part]) : 1;
      centres.push_back(least_ * (1 - (static_cast<double>(part) + share) / static_cast<double>(kParts)));
    }
    return centres;
  }

  static void improve(const std::vector<Bin>& bins, std::vector<double>& centres) {
    std::vector<Bin> cells(centres.size());
    std::size_t cell = 0;
    for (const Bin& bin : bins) {
      while (cell + 1 < centres.size() && bin.mean() > (centres[cell] + centres[cell + 1]) / 2) ++cell;
      cells[cell].weight += bin.weight;
      cells[cell].sum += bin.sum;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].weight > 0) centres[i] = cells[i].mean();
    }
  }

  static constexpr std::size_t kBins = std::size_t{1} << 16;
  static constexpr std::size_t kParts = 1024;
  static constexpr int kRounds = 50;

  double least_;
  std::vector<Bin> bins_ = std::vector<Bin>(kBins);
};

/// The values, rising, and which of them a probability becomes.
class CodeBook {
 public:
  explicit CodeBook(std::vector<double> values) : values_(std::move(values)) {
    for (std::size_t i = 1; i < values_.size(); ++i)
      limits_.push_back(std::sqrt(values_[i - 1] * values_[i]));
  }

  /// By the ratio; 0 stays 0, and nothing else becomes 0.
  std::uint8_t nearest(double p) const {
    return static_cast<std::uint8_t>(std::lower_bound(limits_.begin(), limits_.end(), p) - limits_.begin());
  }
  /// The largest that is not above; the first value is not above any probability of the trie.
  std::uint8_t below(double p) const {
    return static_cast<std::uint8_t>(std::upper_bound(values_.begin(), values_.end(), p) - values_.begin() -
                                     1);
  }
  /// The smallest that is not below, or the largest of all.
  std::uint8_t above(double p) const {
    const auto found = std::lower_bound(values_.begin(), values_.end() - 1, p);
    return static_cast<std::uint8_t>(found - values_.begin());
  }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
  std::vector<double> limits_;  ///< between two values
};

CodeBook make_code_book(const Trie& trie) {
  const Probabilities& p = trie.arrays().probabilities;
  std::vector<double> values;
  double least = 1;
  bool has_positive = false;
  bool has_zero = false;
  for (std::uint64_t entry = trie.symbol_count(); entry < p.size(); ++entry) {
    (p[entry] > 0 ? has_positive : has_zero) = true;
    if (p[entry] > 0) least = std::min(least, p[entry]);
  }
  if (has_zero) values.push_back(0);
  if (has_positive) values.push_back(least);
  LogHistogram histogram(least);
  const std::vector<double> contexts = context_probabilities(trie);
  for (Node node = 1; node < trie.node_count(); ++node) {
    for (std::uint64_t e = trie.children_begin(node); e < trie.children_end(node); ++e) {
      if (p[e] > 0) histogram.add(p[e], contexts[node] * p[e]);
    }
  }
  for (const double log : histogram.centres(kValues - 2)) values.push_back(std::max(least, std::exp(log)));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return CodeBook(std::move(values));
}

struct QuantizedStorage {
  Trie old;  ///< has the other arrays
  std::vector<double> table;
  std::vector<std::uint8_t> codes;
  std::vector<float> backoffs;

  TrieArrays arrays() const {
    TrieArrays a = old.arrays();
    a.probabilities = {a.probabilities.values().first(old.symbol_count()), table, codes};
    a.backoffs = std::span(backoffs);
    return a;
  }
};

class Quantizer {
 public:
  Quantizer(const Trie& trie, const RunOptions& run)
      : run_(run),
        book_(make_code_book(trie)),
        a_(trie.arrays()),
        storage_(std::make_shared<QuantizedStorage>()) {
    storage_->old = trie;
    storage_->table = book_.values();
    storage_->codes.resize(a_.symbols.size() - trie.symbol_count());
    storage_->backoffs.resize(trie.node_count());
    storage_->backoffs[kRoot] = static_cast<float>(a_.backoffs[kRoot]);
    new_ = Trie(storage_->arrays(), nullptr);
  }

  Trie run() {
    // A weight needs the probabilities and weights after shorter contexts.
    for (std::size_t level = 1; level + 1 < a_.level_begin.size(); ++level)
      for_nodes(level, [&](Node node) { set_codes_after(node); });
    for (std::size_t level = 1; level + 1 < a_.level_begin.size(); ++level)
      for_nodes(level, [&](Node node) { set_backoff(node); });
    return {storage_->arrays(), storage_};
  }

 private:
  template <class Use>
  void for_nodes(std::size_t level, const Use& use) const {
    constexpr std::size_t kGrain = 1024;
    const std::uint64_t first = a_.level_begin[level - 1] + 1;
    run_.check_stop();
    base::parallel_for(a_.level_begin[level] + 1 - first, kGrain, run_.threads,
                       [&](std::size_t begin, std::size_t end) {
                         for (std::size_t i = begin; i < end; ++i) use(static_cast<Node>(first + i));
                       });
  }

  /// The nearest values. Where the sum goes too far from what it was, compared with what is left to other words, the next
  /// values make up for it: a back-off weight that is far off costs more than a probability that is. If all fails,
  /// all are rounded down.
  void set_codes_after(Node node) {
    const std::uint64_t begin = new_.children_begin(node);
    const std::uint64_t end = new_.children_end(node);
    const std::uint64_t first = storage_->old.symbol_count();
    std::vector<std::uint8_t>& codes = storage_->codes;
    double left = 1;
    for (std::uint64_t e = begin; e < end; ++e) left -= a_.probabilities[e];
    const bool backs_off = left > 0 && a_.backoffs[node] > 0;
    const double limit = backs_off ? left * kShareOfRest : 2;
    double excess = 0;
    for (std::uint64_t e = begin; e < end; ++e) {
      const double p = a_.probabilities[e];
      codes[e - first] = excess > limit    ? book_.below(p)
                         : excess < -limit ? book_.above(p)
                                           : book_.nearest(p);
      excess += book_.values()[codes[e - first]] - p;
    }
    if (!backs_off || excess <= left / 2) return;
    for (std::uint64_t e = begin; e < end; ++e) codes[e - first] = book_.below(a_.probabilities[e]);
  }

  /// Where nothing was left to other words, the weight stays.
  void set_backoff(Node node) {
    const double old = a_.backoffs[node];
    storage_->backoffs[node] = static_cast<float>(old);
    if (!(old > 0)) return;
    const Trie::ChildMass mass = new_.child_mass(node);
    const double left = 1 - mass.own;
    const double room = 1 - mass.shorter;
    if (left > 0 && room > 1e-12) storage_->backoffs[node] = static_cast<float>(left / room);
  }

  const RunOptions& run_;
  CodeBook book_;
  const TrieArrays& a_;
  std::shared_ptr<QuantizedStorage> storage_;
  Trie new_;  ///< a view of the storage
};

}  // namespace

Trie quantized(const Trie& trie, const RunOptions& run) {
  if (trie.is_quantized() || trie.arrays().symbols.size() == trie.symbol_count()) return trie;
  return Quantizer(trie, run).run();
}

}  // namespace lm

LanguageModel quantize_lm(const LanguageModel& model, const RunOptions& run) {
  const base::Stage stage(run, "quantising");
  std::vector<LanguageModel> parts;
  std::vector<double> weights;
  for (const lm::Part& part : base::internals(model).parts) {
    auto component = std::make_shared<lm::Component>(*part.component);
    component->trie = lm::quantized(component->trie, run);
    parts.emplace_back(lm::make_model(std::move(component)));
    weights.push_back(part.weight);
  }
  return parts.size() == 1 ? parts.front() : mix_models(parts, weights);
}

}  // namespace firth

#include "reference/naive_lm.hpp"

#include <algorithm>
#include <set>

namespace firth::reference {
namespace {

constexpr std::uint32_t kBegin = 1;
constexpr std::uint32_t kEnd = 2;

}  // namespace

NaiveLm::NaiveLm(const std::vector<Ngram>& sentences, int order, std::size_t symbols, LmSmoothing smoothing)
    : order_(static_cast<std::size_t>(order)), symbols_(symbols), smoothing_(smoothing), counts_(order_ + 1) {
  std::vector<std::map<Ngram, std::set<std::uint32_t>>> lefts(order_ + 1);
  std::vector<std::map<Ngram, std::uint64_t>> seen(order_ + 1);
  for (const Ngram& sentence : sentences) {
    Ngram padded = {kBegin};
    padded.insert(padded.end(), sentence.begin(), sentence.end());
    padded.push_back(kEnd);
    for (std::size_t end = 1; end < padded.size(); ++end) {
      for (std::size_t length = 1; length <= order_ && length <= end + 1; ++length) {
        const Ngram ngram(padded.begin() + static_cast<std::ptrdiff_t>(end + 1 - length),
                          padded.begin() + static_cast<std::ptrdiff_t>(end + 1));
        ++seen[length][ngram];
        if (length <= end) lefts[length][ngram].insert(padded[end - length]);
      }
    }
  }
  // Chen & Goodman: below the highest order, in how many left contexts; but what starts a sentence has none.
  for (std::size_t length = 1; length <= order_; ++length) {
    for (const auto& [ngram, count] : seen[length]) {
      const bool raw = length == order_ || ngram.front() == kBegin || smoothing == LmSmoothing::witten_bell;
      const std::uint64_t adjusted = raw ? count : lefts[length][ngram].size();
      counts_[length][ngram] = adjusted;
      followers_[Ngram(ngram.begin(), ngram.end() - 1)][ngram.back()] = adjusted;
    }
  }
  for (std::size_t length = 0; length <= order_; ++length) discounts_.push_back(discounts(length));
}

std::array<double, 4> NaiveLm::discounts(std::size_t length) const {
  std::array<double, 5> n{};
  for (const auto& [ngram, count] : counts_[length]) {
    if (count <= 4) n[count] += 1;
  }
  if (n[1] == 0 || n[2] == 0) return {0, 0.5, 1, 1.5};
  const double y = n[1] / (n[1] + 2 * n[2]);
  std::array<double, 4> result = {0, y, y, y};
  for (std::size_t k = 1; k <= 3; ++k) {
    const double d =
        n[k] > 0 ? static_cast<double>(k) - static_cast<double>(k + 1) * y * n[k + 1] / n[k] : -1;
    if (d >= 0 && d <= static_cast<double>(k)) result[k] = d;
  }
  return result;
}

double NaiveLm::recurse(const Ngram& context, std::uint32_t symbol) const {
  const auto found = followers_.find(context);
  const Ngram shorter = context.empty() ? Ngram() : Ngram(context.begin() + 1, context.end());
  const double lower = context.empty() ? 1 / static_cast<double>(symbols_ - 1) : recurse(shorter, symbol);
  if (found == followers_.end()) return lower;
  double total = 0;
  double discounted = 0;
  const auto discount = [&](std::uint64_t count) {
    return smoothing_ == LmSmoothing::kneser_ney
               ? discounts_[context.size() + 1][std::min<std::uint64_t>(count, 3)]
               : 0;
  };
  for (const auto& [follower, count] : found->second) {
    total += static_cast<double>(count);
    discounted += discount(count);
  }
  const auto distinct = static_cast<double>(found->second.size());
  const bool witten_bell = smoothing_ == LmSmoothing::witten_bell;
  const double mass = witten_bell ? distinct : discounted;
  if (witten_bell) total += distinct;
  const auto own = found->second.find(symbol);
  const double kept =
      own == found->second.end() ? 0 : static_cast<double>(own->second) - discount(own->second);
  return kept / total + mass / total * lower;
}

double NaiveLm::probability(Ngram history, std::uint32_t symbol) const {
  if (symbol == kBegin) return 0;
  if (history.size() > order_ - 1) {
    history.erase(history.begin(), history.end() - static_cast<std::ptrdiff_t>(order_ - 1));
  }
  return recurse(history, symbol);
}

}  // namespace firth::reference

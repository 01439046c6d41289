#include "lm/ngram_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "lm/ngram_code.hpp"

namespace firth::lm {
namespace {

/// An n-gram, with zeros behind it: all have the same order, so they compare as n-grams do.
using Ngram = std::array<Symbol, kMaxOrder>;

Ngram to_ngram(std::span<const Symbol> symbols) {
  Ngram ngram{};
  std::ranges::copy(symbols, ngram.begin());
  return ngram;
}

/// A file that is cut into a part for, or from, each rank.
struct Parts {
  std::unique_ptr<base::TempFile> file;
  std::vector<std::uint64_t> begins;  ///< one more than there are ranks

  std::uint64_t size(unsigned rank) const { return begins[rank + 1] - begins[rank]; }
};

/// Every rank gets the parts that are for it, by rank; in rounds, so that messages take little memory.
Parts exchange(const Parts& own, const base::Ranks& ranks, const RunOptions& run) {
  const std::uint64_t round = run.memory_bytes > 0 ? run.memory_bytes / 16 : std::uint64_t{64} << 20;
  const std::uint64_t piece = std::max<std::uint64_t>(round / ranks.size(), 1);
  std::vector<std::vector<std::byte>> to(ranks.size());
  for (unsigned r = 0; r < ranks.size(); ++r) {
    base::MessageWriter writer;
    writer.put(own.size(r));
    to[r] = writer.take();
  }
  Parts result{nullptr, {0}};
  for (const auto& message : ranks.world().exchange(to)) {
    const auto size = base::MessageReader(message).get<std::uint64_t>();
    result.begins.push_back(result.begins.back() + size);
  }
  base::together(ranks, [&] { result.file = std::make_unique<base::TempFile>(run.temp_folder); });
  bool more = true;
  for (std::uint64_t done = 0; more; done += piece) {
    bool unfinished = false;
    base::together(ranks, [&] {
      run.check_stop();
      for (unsigned r = 0; r < ranks.size(); ++r) {
        const std::uint64_t left = own.size(r) - std::min(own.size(r), done);
        to[r].resize(std::min(piece, left));
        own.file->read_at(own.begins[r] + std::min(own.size(r), done), to[r]);
        unfinished = unfinished || left > piece;
      }
    });
    const auto from = ranks.world().exchange(to);
    base::together(ranks, [&] {
      for (unsigned r = 0; r < ranks.size(); ++r) result.file->write_at(result.begins[r] + done, from[r]);
    });
    more = ranks.any(unfinished ? 1 : 0) != 0;
  }
  return result;
}

/// Where the range of each rank but the first begins, so that all get about as many n-grams.
std::vector<Ngram> find_borders(NgramCounter& counter, const base::Ranks& ranks) {
  constexpr std::uint64_t kSamplesPerRange = 32;
  struct Sample {
    Ngram ngram;
    std::uint64_t stands_for;
  };
  std::vector<Sample> own;
  base::together(ranks, [&] {
    std::uint64_t all = 0;
    counter.for_each([&](std::span<const Symbol>, Count) { ++all; });
    const std::uint64_t step = all / (kSamplesPerRange * ranks.size()) + 1;
    std::uint64_t seen = 0;
    counter.for_each([&](std::span<const Symbol> ngram, Count) {
      if (seen++ % step == 0) own.push_back({to_ngram(ngram), step});
    });
  });
  base::MessageWriter writer;
  writer.put_all(own);
  std::vector<Sample> samples;
  std::uint64_t total = 0;
  for (const auto& message : ranks.gather_messages(writer.take())) {
    for (const Sample& sample : base::MessageReader(message).get_all<Sample>()) {
      samples.push_back(sample);
      total += sample.stands_for;
    }
  }
  std::ranges::sort(samples, {}, &Sample::ngram);
  std::vector<Ngram> borders;
  std::uint64_t before = 0;
  for (const Sample& sample : samples) {
    while (borders.size() + 1 < ranks.size() && before * ranks.size() >= total * (borders.size() + 1)) {
      borders.push_back(sample.ngram);
    }
    before += sample.stands_for;
  }
  return borders;  // fewer, if there are few samples: the last ranks get nothing
}

/// The n-grams of this rank, encoded for each rank apart.
Parts cut_at(const std::vector<Ngram>& borders, NgramCounter& counter, int order, const base::Ranks& ranks,
             const RunOptions& run) {
  constexpr std::size_t kBuffered = std::size_t{1} << 20;
  Parts parts{std::make_unique<base::TempFile>(run.temp_folder), {0}};
  std::uint64_t written = 0;
  NgramEncoder encoder(order);
  const auto flush = [&] {
    parts.file->write_at(written, encoder.bytes());
    written += encoder.bytes().size();
    encoder.clear();
  };
  const auto end_part = [&] {
    flush();
    parts.begins.push_back(written);
    encoder = NgramEncoder(order);
  };
  counter.for_each([&](std::span<const Symbol> ngram, Count count) {
    while (parts.begins.size() <= borders.size() && to_ngram(ngram) >= borders[parts.begins.size() - 1]) {
      end_part();
    }
    encoder.add(ngram, count);
    if (encoder.bytes().size() >= kBuffered) flush();
  });
  while (parts.begins.size() <= ranks.size()) end_part();
  return parts;
}

/// Adds what all ranks have sent to `counter`; the result is the last of the n-grams, if there are any.
std::vector<Symbol> add_up(const Parts& received, const NgramCountOptions& options, NgramCounter& counter) {
  std::vector<Symbol> last;
  if (received.begins.back() == 0) return last;
  const std::shared_ptr<const void> mapped = received.file->map(received.begins.back());
  const std::span all(static_cast<const std::byte*>(mapped.get()), received.begins.back());
  for (std::size_t r = 0; r + 1 < received.begins.size(); ++r) {
    const std::uint64_t begin = received.begins[r];
    NgramDecoder decoder(all.subspan(begin, received.begins[r + 1] - begin), options.order, options.symbols);
    bool any = false;
    while (decoder.next()) {
      counter.add(decoder.ngram(), decoder.count());
      any = true;
    }
    if (!any) continue;
    if (std::ranges::lexicographical_compare(last, decoder.ngram())) {
      last.assign(decoder.ngram().begin(), decoder.ngram().end());
    }
  }
  return last;
}

/// The last n-gram of the nearest rank before this one that has any.
std::vector<Symbol> last_before(const std::vector<Symbol>& own, const base::Ranks& ranks) {
  base::MessageWriter writer;
  writer.put_all(own);
  const auto all = ranks.gather_messages(writer.take());
  std::vector<Symbol> before;
  for (unsigned r = 0; r < ranks.rank(); ++r) {
    const auto last = base::MessageReader(all[r]).get_all<Symbol>();
    if (!last.empty()) before = last;
  }
  return before;
}

}  // namespace

EncodedNgrams join_ngrams(std::unique_ptr<NgramCounter> counter, const NgramCountOptions& options,
                          const base::Ranks& ranks, const RunOptions& run) {
  const std::vector<Ngram> borders = find_borders(*counter, ranks);
  Parts cut;
  base::together(ranks, [&] { cut = cut_at(borders, *counter, options.order, ranks, run); });
  counter.reset();
  Parts received = exchange(cut, ranks, run);
  cut = {};
  std::vector<Symbol> last;
  base::together(ranks, [&] {
    counter = std::make_unique<NgramCounter>(options, run);
    last = add_up(received, options, *counter);
  });
  received = {};
  const std::vector<Symbol> before = last_before(last, ranks);
  EncodedNgrams range;
  base::together(ranks, [&] { range = encode(*counter, options.order, before, run); });
  counter.reset();
  std::vector<std::uint64_t> begins(ranks.size() + 1, range.bytes);  // all of it is for rank 0
  begins.front() = 0;
  Parts whole = exchange({std::move(range.file), std::move(begins)}, ranks, run);
  std::uint64_t ngrams = range.ngrams;
  ranks.add(std::span(&ngrams, 1));
  return {std::move(whole.file), whole.begins.back(), ngrams};
}

}  // namespace firth::lm

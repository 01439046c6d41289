#include "lm/count_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <unordered_map>

#include "base/files.hpp"
#include "base/internals.hpp"
#include "base/section_file.hpp"
#include "base/string_table.hpp"
#include "firth/error.hpp"
#include "lm/model.hpp"
#include "lm/ngram_code.hpp"
#include "lm/special_words.hpp"
#include "text/text_options.hpp"

namespace firth {
namespace lm {
namespace {

constexpr base::FileKind kCountFile = {{'\x89', 'F', 'N', 'G', '\x20', '\r', '\n', '\x1a'},
                                       1,
                                       "file of n-grams",
                                       "copy it again, or count the text again with count_ngrams()"};

enum CountSection : std::uint32_t {
  kNumbers = 1,      // order, 1 with boundaries, sentences, tokens, n-grams
  kTextOptions = 2,  // how the text was read
  kCountedWordOffsets = 3,
  kCountedWordBytes = 4,
  kWordCounts = 5,
  kNgrams = 6,
};

constexpr std::size_t kNumberCount = 5;
/// No sum that is made of counts of one file or of several can overflow.
constexpr Count kMaxTokens = std::numeric_limits<Count>::max() / 4;

/// How many n-grams there are in all, repetitions included.
Count positions(const LmCountsInfo& info) {
  if (info.boundaries) return info.tokens + info.sentences;
  return info.order == 1 ? info.tokens : info.tokens - info.sentences;
}

LmCountsInfo read_info(base::SectionReader& sections) {
  const auto numbers = sections.take<std::uint64_t>(kNumbers);
  if (numbers.size() != kNumberCount) sections.damaged("its numbers are missing");
  const bool order = numbers[0] >= 1 && numbers[0] <= kMaxOrder && numbers[1] <= 1;
  if (!order || (numbers[1] == 0 && numbers[0] > 2)) sections.damaged("its order makes no sense");
  if (numbers[3] > kMaxTokens || numbers[2] > numbers[3]) sections.damaged("its sums make no sense");
  LmCountsInfo info;
  info.order = static_cast<int>(numbers[0]);
  info.boundaries = numbers[1] == 1;
  info.sentences = numbers[2];
  info.tokens = numbers[3];
  info.ngrams = numbers[4];
  const auto text = sections.take<char>(kTextOptions);
  info.text_options.assign(text.begin(), text.end());
  info.preprocessing = text::parse_preprocessing(info.text_options);
  return info;
}

Names read_words(base::SectionReader& sections, const std::shared_ptr<const void>& owner) {
  const auto offsets = sections.take<std::uint64_t>(kCountedWordOffsets);
  const auto bytes = sections.take<char>(kCountedWordBytes);
  const bool fits = offsets.size() > kSpecialSymbols && offsets.size() < kMaxNodes &&
                    base::are_offsets(offsets, bytes.size());
  if (!fits) sections.damaged("its words do not fit");
  Names words(offsets, {bytes.data(), bytes.size()}, owner);
  const bool special = words[kUnknownSymbol] == kUnknownName && words[kBeginSymbol] == kBeginName &&
                       words[kEndSymbol] == kEndName;
  if (!special) sections.damaged("its special words are missing");
  if (words.has_repetition()) sections.damaged("a word is in it twice");
  return words;
}

CountFile open_file(const std::string& path) {
  auto mapped = std::make_shared<const base::MappedFile>(path);
  base::SectionReader sections(path, mapped->bytes(), kCountFile);
  CountFile file;
  file.path = path;
  file.owner = mapped;
  file.info = read_info(sections);
  file.words = read_words(sections, file.owner);
  file.info.words = file.words.size() - kSpecialSymbols;
  file.counts = sections.take<Count>(kWordCounts);
  if (file.counts.size() != file.words.size()) sections.damaged("its words do not fit");
  Count left = file.info.tokens;
  for (const Count count : file.counts) {
    if (count > left) sections.damaged("its counts do not add up");
    left -= count;
  }
  if (left != 0) sections.damaged("its counts do not add up");
  file.ngrams = sections.take<std::byte>(kNgrams);
  sections.finish();
  return file;
}

void check_alike(const CountFile& first, const CountFile& file) {
  if (file.info.order != first.info.order || file.info.boundaries != first.info.boundaries) {
    throw UsageError(fmt::format("{}: other n-grams (order {}{}) than in {} (order {}{})", file.path,
                                 file.info.order, file.info.boundaries ? "" : ", no boundaries", first.path,
                                 first.info.order, first.info.boundaries ? "" : ", no boundaries"),
                     "count all parts with the same LmCountOptions::order and LmCountOptions::boundaries");
  }
  if (file.info.text_options != first.info.text_options) {
    throw UsageError(fmt::format("{}: the text was read in another way ({}) than that of {} ({})", file.path,
                                 file.info.text_options, first.path, first.info.text_options),
                     "count all parts with the same options");
  }
}

void add_info(LmCountsInfo& total, const LmCountsInfo& part) {
  if (part.tokens > kMaxTokens - total.tokens)
    throw InputError({}, "the counts add up to more than 2^62", "leave out a file");
  total.tokens += part.tokens;
  total.sentences += part.sentences;
  total.words += part.words;
  total.ngrams += part.ngrams;
}

}  // namespace

std::vector<text::CountedWord> CountFiles::ranked_words() const {
  std::vector<text::CountedWord> words;
  std::unordered_map<std::string_view, std::size_t> place;
  for (const CountFile& file : files) {
    for (std::size_t i = kSpecialSymbols; i < file.words.size(); ++i) {
      const auto [found, is_new] = place.try_emplace(file.words[i], words.size());
      if (is_new) words.push_back({file.words[i], 0});
      words[found->second].count += file.counts[i];
    }
  }
  std::vector<text::CountedWord> ranked;
  ranked.reserve(words.size());
  for (const std::uint32_t i : text::frequency_order(words)) ranked.push_back(words[i]);
  return ranked;
}

std::vector<WordId> words_of(const CountFile& file, const Names& names) {
  std::vector<WordId> result = {LanguageModel::kUnknown, LanguageModel::kBegin, LanguageModel::kEnd};
  for (std::size_t i = kSpecialSymbols; i < file.words.size(); ++i) {
    result.push_back(names.find(file.words[i]).value_or(LanguageModel::kUnknown));
  }
  return result;
}

void for_each_ngram(const CountFile& file, const NgramVisitor& visit, const RunOptions& run) {
  constexpr std::uint64_t kCheckEvery = std::uint64_t{1} << 16;
  const auto require = [&](bool right) {
    if (!right)
      throw FormatError(file.path, "the file of n-grams is damaged: its n-grams make no sense",
                        kCountFile.remedy);
  };
  NgramDecoder decoder(file.ngrams, file.info.order, file.words.size());
  Count left = positions(file.info);
  std::uint64_t seen = 0;
  for (; decoder.next(); ++seen) {
    if (seen % kCheckEvery == 0) run.check_stop();
    require(decoder.count() <= left);
    left -= decoder.count();
    visit(decoder.ngram(), decoder.count());
  }
  require(decoder.is_complete() && left == 0 && seen == file.info.ngrams);
}

LmCountsInfo describe(const LmCountOptions& options, const TextOptions& text) {
  LmCountsInfo info;
  info.order = options.order;
  info.boundaries = options.boundaries;
  info.text_options = text::describe(text);
  info.preprocessing = preprocessing_of(text);
  return info;
}

void check_key_bits(int order, std::size_t symbols) {
  if (order * static_cast<int>(std::bit_width(symbols - 1)) <= kMaxKeyBits) return;
  throw UsageError(fmt::format("order {} with {} words is too much", order, symbols - kSpecialSymbols),
                   "lower LmCountOptions::order, or train on the text itself with fewer words",
                   "LmCountOptions::order");
}

CountFileHead make_head(std::span<const text::CountedWord> ranked, LmCountsInfo info, Count special) {
  std::vector<std::string> words = special_names();
  std::vector<Count> counts(kSpecialSymbols, 0);
  counts[kUnknownSymbol] = special;
  for (const text::CountedWord& word : ranked) {
    words.emplace_back(word.word);
    counts.push_back(word.count);
  }
  check_key_bits(info.order, words.size());
  return {std::move(info), Names(words), std::move(counts)};
}

EncodedNgrams encode(NgramCounter& counter, int order, std::span<const Symbol> before,
                     const RunOptions& run) {
  constexpr std::size_t kBuffered = std::size_t{1} << 20;
  // How many bytes there will be is not known before.
  EncodedNgrams encoded{std::make_unique<base::TempFile>(run.temp_folder)};
  NgramEncoder encoder(order);
  if (!before.empty()) encoder.follow(before);
  const auto flush = [&] {
    encoded.file->write_at(encoded.bytes, encoder.bytes());
    encoded.bytes += encoder.bytes().size();
    encoder.clear();
  };
  counter.for_each([&](std::span<const Symbol> ngram, Count count) {
    encoder.add(ngram, count);
    ++encoded.ngrams;
    if (encoder.bytes().size() >= kBuffered) flush();
  });
  flush();
  return encoded;
}

LmCountsInfo write_count_file(const std::string& path, CountFileHead head, const EncodedNgrams& encoded) {
  head.info.ngrams = encoded.ngrams;
  head.info.words = head.words.size() - kSpecialSymbols;
  const LmCountsInfo& info = head.info;
  const std::vector<std::uint64_t> numbers = {static_cast<std::uint64_t>(info.order),
                                              info.boundaries ? std::uint64_t{1} : 0, info.sentences,
                                              info.tokens, info.ngrams};
  const std::shared_ptr<const void> mapped = encoded.bytes == 0 ? nullptr : encoded.file->map(encoded.bytes);
  const std::span<const std::byte> ngrams(static_cast<const std::byte*>(mapped.get()), encoded.bytes);
  const std::vector<base::Section> sections = {base::make_section(kNumbers, numbers),
                                               base::make_section(kTextOptions, info.text_options),
                                               base::make_section(kCountedWordOffsets, head.words.offsets()),
                                               base::make_section(kCountedWordBytes, head.words.bytes()),
                                               base::make_section(kWordCounts, head.counts),
                                               base::make_section(kNgrams, ngrams)};
  base::write_sections(path, kCountFile, sections);
  return head.info;
}

}  // namespace lm

const LmCountsInfo& LmCounts::info() const {
  return files_->total;
}

LmCounts load_lm_counts(std::span<const std::string> paths, const RunOptions& run) {
  if (paths.empty()) throw UsageError("there are no counts", "name files of n-grams");
  auto all = std::make_shared<lm::CountFiles>();
  for (const std::string& path : paths) {
    run.check_stop();
    all->files.push_back(lm::open_file(path));
    lm::check_alike(all->files.front(), all->files.back());
    if (all->files.size() == 1) {
      all->total = all->files.front().info;
    } else {
      lm::add_info(all->total, all->files.back().info);
    }
  }
  return detail::ModelAccess::make<LmCounts>(std::shared_ptr<const lm::CountFiles>(std::move(all)));
}

}  // namespace firth

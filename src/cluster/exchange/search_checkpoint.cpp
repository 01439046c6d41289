#include "cluster/exchange/search_checkpoint.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.hpp"
#include "base/section_file.hpp"
#include "firth/error.hpp"

namespace firth::exchange {
namespace {

constexpr base::FileKind kFile = {{'F', 'I', 'R', 'T', 'H', 'S', 'R', 'C'},
                                  1,
                                  "checkpoint of a search",
                                  "remove the file to start from the beginning"};

enum Kind : std::uint32_t {
  kHead = 1,
  kNumbers,
  kClasses,
  kKept,
  kKnown,
  kKeptKnown,
  kOrder,
  kFrozen,
  kHistory
};

/// The numbers of a snapshot as they are in the file.
struct Numbers {
  std::uint64_t place;
  std::uint64_t next;
  std::uint64_t finished;
  std::uint64_t classes;
  std::uint64_t failures;
  std::int64_t kept_objective;
  std::array<std::uint64_t, 4> rng;
};

/// A line of the log as it is in the file.
struct LogRow {
  std::array<char, 32> stage;
  std::uint64_t classes;
  std::uint64_t moved;
  double ami_bits;
  double seconds;
};

std::vector<LogRow> rows_of(const std::vector<IterationStats>& history) {
  std::vector<LogRow> rows;
  rows.reserve(history.size());
  for (const IterationStats& line : history) {
    LogRow row{{}, line.classes, line.moved, line.ami_bits, line.seconds};
    line.stage.copy(row.stage.data(), row.stage.size() - 1);
    rows.push_back(row);
  }
  return rows;
}

std::vector<IterationStats> history_of(std::span<const LogRow> rows) {
  std::vector<IterationStats> history;
  for (const LogRow& row : rows) {
    const auto end = std::find(row.stage.begin(), row.stage.end(), '\0');
    history.push_back(
        {std::string(row.stage.begin(), end), row.classes, row.moved, row.ami_bits, row.seconds});
  }
  return history;
}

Numbers numbers_of(const SearchSnapshot& snapshot) {
  return {snapshot.place,    snapshot.next,           snapshot.finished ? 1U : 0U, snapshot.classes,
          snapshot.failures, snapshot.kept_objective, snapshot.context.rng};
}

template <typename T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

SearchSnapshot read_snapshot(base::SectionReader& reader) {
  const auto numbers = reader.take<Numbers>(kNumbers);
  if (numbers.size() != 1) reader.damaged("numbers of a search are missing");
  SearchSnapshot snapshot;
  snapshot.place = numbers[0].place;
  snapshot.next = numbers[0].next;
  snapshot.finished = numbers[0].finished != 0;
  snapshot.classes = static_cast<ClassId>(numbers[0].classes);
  snapshot.failures = static_cast<std::uint32_t>(numbers[0].failures);
  snapshot.kept_objective = numbers[0].kept_objective;
  snapshot.context.rng = numbers[0].rng;
  snapshot.class_of = copy(reader.take<ClassId>(kClasses));
  snapshot.kept = copy(reader.take<ClassId>(kKept));
  snapshot.known = copy(reader.take<ClassId>(kKnown));
  snapshot.kept_known = copy(reader.take<ClassId>(kKeptKnown));
  snapshot.context.order = copy(reader.take<UnitId>(kOrder));
  snapshot.context.frozen_for = copy(reader.take<std::uint8_t>(kFrozen));
  snapshot.context.history = history_of(reader.take<LogRow>(kHistory));
  return snapshot;
}

bool is_partition(std::span<const ClassId> class_of, std::size_t units, ClassId classes) {
  return class_of.size() == units && std::ranges::all_of(class_of, [&](ClassId c) { return c < classes; });
}

bool is_permutation(std::span<const UnitId> order, std::size_t units) {
  std::vector<bool> seen(units, false);
  for (const UnitId unit : order) {
    if (unit >= units || seen[unit]) return false;
    seen[unit] = true;
  }
  return order.size() == units;
}

}  // namespace

Fingerprint& Fingerprint::add(std::span<const std::byte> bytes) {
  value_ = XXH3_64bits_withSeed(bytes.data(), bytes.size(), value_ + 1);
  return *this;
}

Fingerprint& Fingerprint::add(std::uint64_t value) {
  return add(std::as_bytes(std::span(&value, 1)));
}

Fingerprint& Fingerprint::add(double value) {
  return add(std::bit_cast<std::uint64_t>(value));
}

Fingerprint& Fingerprint::add(const std::string& text) {
  return add(std::as_bytes(std::span(text)));
}

Fingerprint& Fingerprint::add(const Counts& counts) {
  add_all(counts.vocabulary().counts());
  add_all(std::span(counts.vocabulary().bytes()));
  add_all(counts.bigrams().offsets());
  add_all(counts.bigrams().rights());
  return add_all(counts.bigrams().counts());
}

Fingerprint& Fingerprint::add(const Constraints& constraints) {
  for (const Constraint& item : constraints.items) {
    add(static_cast<std::uint64_t>(item.kind)).add(item.name).add(std::uint64_t{item.words.size()});
    for (const std::string& word : item.words) add(word);
  }
  return add(std::uint64_t{constraints.items.size()});
}

SearchCheckpoint::SearchCheckpoint(Options options, std::uint64_t fingerprint, std::size_t units)
    : options_(std::move(options)), fingerprint_(fingerprint), units_(units) {
  std::error_code ignored;  // what cannot be looked up cannot be opened either
  if (enabled() && options_.resume && std::filesystem::exists(options_.path, ignored)) read();
}

void SearchCheckpoint::read() {
  const base::MappedFile file(options_.path);
  base::SectionReader reader(options_.path, file.bytes(), kFile);
  const auto head = reader.take<std::uint64_t>(kHead);
  if (head.size() != 2) reader.damaged("its head is missing");
  if (head[0] != fingerprint_) {
    throw FormatError(options_.path, "the checkpoint belongs to other counts, options or another seed",
                      std::string(kFile.remedy));
  }
  for (std::uint64_t i = 0; i < head[1]; ++i) {
    SearchSnapshot snapshot = read_snapshot(reader);
    check(snapshot);
    snapshots_[snapshot.place] = std::move(snapshot);
  }
  reader.finish();
}

void SearchCheckpoint::check(const SearchSnapshot& snapshot) const {
  const ContextSnapshot& context = snapshot.context;
  const auto fits = [&](std::size_t size) { return size == 0 || size == units_; };
  if (is_partition(snapshot.class_of, units_, snapshot.classes) && fits(snapshot.kept.size()) &&
      fits(context.frozen_for.size()) && is_permutation(context.order, units_) &&
      (snapshot.kept.empty() || is_partition(snapshot.kept, units_, snapshot.classes))) {
    return;
  }
  throw FormatError(options_.path, "the checkpoint is damaged", std::string(kFile.remedy));
}

void SearchCheckpoint::put(SearchSnapshot snapshot) {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  snapshots_[snapshot.place] = std::move(snapshot);
  changed_ = true;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_write_).count() >= options_.seconds) write_locked();
}

void SearchCheckpoint::forget(std::span<const std::uint64_t> places) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t place : places) snapshots_.erase(place);
}

std::optional<SearchSnapshot> SearchCheckpoint::find(std::uint64_t place) const {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(place);
  return found == snapshots_.end() ? std::nullopt : std::optional(found->second);
}

void SearchCheckpoint::write() {
  const std::lock_guard lock(mutex_);
  if (enabled() && changed_) write_locked();
}

void SearchCheckpoint::write_locked() {
  const std::array<std::uint64_t, 2> head = {fingerprint_, snapshots_.size()};
  std::vector<Numbers> numbers;
  std::vector<std::vector<LogRow>> rows;
  numbers.reserve(snapshots_.size());
  rows.reserve(snapshots_.size());
  std::vector<base::Section> sections = {base::make_section(kHead, head)};
  for (const auto& [place, snapshot] : snapshots_) {
    numbers.push_back(numbers_of(snapshot));
    rows.push_back(rows_of(snapshot.context.history));
    sections.push_back(base::make_section(kNumbers, std::span(&numbers.back(), 1)));
    sections.push_back(base::make_section(kClasses, snapshot.class_of));
    sections.push_back(base::make_section(kKept, snapshot.kept));
    sections.push_back(base::make_section(kKnown, snapshot.known));
    sections.push_back(base::make_section(kKeptKnown, snapshot.kept_known));
    sections.push_back(base::make_section(kOrder, snapshot.context.order));
    sections.push_back(base::make_section(kFrozen, snapshot.context.frozen_for));
    sections.push_back(base::make_section(kHistory, rows.back()));
  }
  base::write_sections_now(options_.path, kFile, sections);
  changed_ = false;
  last_write_ = std::chrono::steady_clock::now();
}

}  // namespace firth::exchange

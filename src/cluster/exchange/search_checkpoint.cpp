#include "cluster/exchange/search_checkpoint.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "cluster/exchange/search_messages.hpp"
#include "counts/fingerprint_counts.hpp"

namespace firth::exchange {
namespace {

constexpr base::FileKind kFile = {
    {'F', 'I', 'R', 'T', 'H', 'S', 'R', 'C'}, 4, "checkpoint of a search", base::kCheckpointRemedy};

enum Kind : std::uint32_t {
  kNumbers = base::kFingerprintSection + 1,
  kClasses,
  kKept,
  kKnown,
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
  std::int64_t parts_objective;
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
          snapshot.failures, snapshot.kept_objective, snapshot.parts_objective,    snapshot.context.rng};
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
  snapshot.parts_objective = numbers[0].parts_objective;
  snapshot.context.rng = numbers[0].rng;
  snapshot.class_of = copy(reader.take<ClassId>(kClasses));
  snapshot.kept = copy(reader.take<ClassId>(kKept));
  snapshot.known = copy(reader.take<ClassId>(kKnown));
  snapshot.context.order = copy(reader.take<UnitId>(kOrder));
  snapshot.context.frozen_for = copy(reader.take<std::uint8_t>(kFrozen));
  snapshot.context.history = history_of(reader.take<LogRow>(kHistory));
  return snapshot;
}

/// Every unit in a class, no class empty, line ends by themselves.
bool is_partition(std::span<const ClassId> class_of, const SearchShape& shape, ClassId classes) {
  if (class_of.size() != shape.units) return false;
  std::vector<bool> seen(classes, false);
  for (const ClassId c : class_of) {
    if (c >= classes) return false;
    seen[c] = true;
  }
  return std::ranges::all_of(seen, std::identity()) &&
         (!shape.boundary || (class_of.back() == 0 && std::ranges::count(class_of, 0U) == 1));
}

/// What the log of a run may say: lower-case words.
bool is_log(std::span<const IterationStats> history) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == ' ' || c == '-'; };
  return std::ranges::all_of(
      history, [&](const IterationStats& line) { return std::ranges::all_of(line.stage, is_letter); });
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

void require_same_work(std::uint64_t fingerprint, const base::Ranks& ranks) {
  ranks.require_same(fingerprint, "the ranks have different counts, options or seeds",
                     "start them with the same command, and the same files on every machine");
}

void add_counts(base::Fingerprint& print, const Counts& counts, const base::Ranks& ranks) {
  base::Fingerprint own;
  counts::add_vocabulary(own, counts.vocabulary());
  counts::add_pairs(own, counts.bigrams());
  std::uint64_t value = own.value();
  if (ranks.shard_lists()) ranks.broadcast_all(std::span(&value, 1));
  print.add(value);
}

void add_constraints(base::Fingerprint& print, const Constraints& constraints) {
  for (const Constraint& item : constraints.items) {
    print.add(static_cast<std::uint64_t>(item.kind)).add(item.name).add(std::uint64_t{item.words.size()});
    for (const std::string& word : item.words) print.add(word);
  }
  print.add(std::uint64_t{constraints.items.size()});
}

SearchCheckpoint::SearchCheckpoint(const SearchLimits& limits, std::uint64_t fingerprint,
                                   const SearchShape& shape, const base::Ranks& ranks)
    : ranks_(ranks),
      shape_(shape),
      file_(kFile, {limits.checkpoint_file, limits.checkpoint_seconds, limits.resume}, fingerprint, ranks) {
  file_.read([this](base::SectionReader& reader) { read(reader); });
}

void SearchCheckpoint::read(base::SectionReader& reader) {
  while (reader.has(kNumbers)) {
    SearchSnapshot snapshot = read_snapshot(reader);
    check(snapshot);
    snapshots_[snapshot.place] = std::move(snapshot);
  }
}

void SearchCheckpoint::check(const SearchSnapshot& snapshot) const {
  constexpr std::uint32_t kMaxFailures = 1000;
  const ContextSnapshot& context = snapshot.context;
  const auto fits = [](std::size_t size, std::size_t full) { return size == 0 || size == full; };
  const bool sizes = snapshot.classes >= shape_.classes && snapshot.classes <= shape_.max_classes &&
                     snapshot.failures <= kMaxFailures && fits(snapshot.known.size(), shape_.words) &&
                     fits(context.frozen_for.size(), shape_.units);
  if (sizes && is_partition(snapshot.class_of, shape_, snapshot.classes) &&
      (snapshot.kept.empty() || is_partition(snapshot.kept, shape_, shape_.classes)) &&
      is_permutation(context.order, shape_.units) && is_log(context.history) &&
      context.rng != std::array<std::uint64_t, 4>{}) {
    return;
  }
  damaged();
}

void SearchCheckpoint::put(SearchSnapshot snapshot) {
  const std::lock_guard lock(mutex_);
  if (ranks_.is_root()) return put_locked(std::move(snapshot));
  outbox_.put(true);
  put_snapshot(outbox_, snapshot);
}

void SearchCheckpoint::put_locked(SearchSnapshot snapshot) {
  snapshots_[snapshot.place] = std::move(snapshot);
  changed_ = true;
  if (file_.is_due()) write_locked();
}

void SearchCheckpoint::forget(std::span<const std::uint64_t> places) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t place : places) snapshots_.erase(place);
  if (ranks_.is_root()) return;
  outbox_.put(false);
  outbox_.put_all(places);
}

void SearchCheckpoint::collect() {
  if (!file_.is_kept() || ranks_.alone()) return;
  std::vector<std::vector<std::byte>> to(ranks_.size());
  to[0] = outbox_.take();
  for (const std::vector<std::byte>& message : ranks_.world().exchange(to)) {
    for (base::MessageReader reader(message); !reader.done();) {
      if (reader.get<bool>()) {
        put(get_snapshot(reader));
      } else {
        forget(reader.get_all<std::uint64_t>());
      }
    }
  }
}

std::optional<SearchSnapshot> SearchCheckpoint::find(std::uint64_t place) const {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(place);
  return found == snapshots_.end() ? std::nullopt : std::optional(found->second);
}

void SearchCheckpoint::write() {
  const std::lock_guard lock(mutex_);
  if (ranks_.is_root() && changed_) write_locked();
}

void SearchCheckpoint::report(const RunOptions& run) {
  const std::lock_guard lock(mutex_);
  file_.report(run);
}

/// A search of hours is worth more than its checkpoint: where that cannot be written, the search goes on.
void SearchCheckpoint::write_locked() {
  std::vector<Numbers> numbers;
  std::vector<std::vector<LogRow>> rows;
  numbers.reserve(snapshots_.size());
  rows.reserve(snapshots_.size());
  std::vector<base::Section> sections;
  for (const auto& [place, snapshot] : snapshots_) {
    numbers.push_back(numbers_of(snapshot));
    rows.push_back(rows_of(snapshot.context.history));
    sections.push_back(base::make_section(kNumbers, std::span(&numbers.back(), 1)));
    sections.push_back(base::make_section(kClasses, snapshot.class_of));
    sections.push_back(base::make_section(kKept, snapshot.kept));
    sections.push_back(base::make_section(kKnown, snapshot.known));
    sections.push_back(base::make_section(kOrder, snapshot.context.order));
    sections.push_back(base::make_section(kFrozen, snapshot.context.frozen_for));
    sections.push_back(base::make_section(kHistory, rows.back()));
  }
  changed_ = !file_.write(sections);
}

}  // namespace firth::exchange

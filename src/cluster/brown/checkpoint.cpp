#include "cluster/brown/checkpoint.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/section_file.hpp"
#include "base/stage.hpp"
#include "firth/brown.hpp"
#include "firth/error.hpp"

namespace firth::brown {
namespace {

constexpr base::FileKind kKind = {
    {'F', 'I', 'R', 'T', 'H', 'B', 'R', 'C'}, 2, "checkpoint", kCheckpointRemedy};
constexpr std::uint32_t kFingerprint = 1;  // one number
constexpr std::uint32_t kOrder = 2;        // a word id per word
constexpr std::uint32_t kMerges = 3;       // two nodes per merge

template <class T>
std::uint64_t hash(std::span<const T> values, std::uint64_t seed) {
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

bool is_permutation(std::span<const WordId> order) {
  std::vector<bool> seen(order.size());
  for (const WordId word : order) {
    if (word >= order.size() || seen[word]) return false;
    seen[word] = true;
  }
  return true;
}

/// Line ends and constraints; runs without them keep their fingerprint.
std::uint64_t add_rules(const BrownOptions& options, std::uint64_t value) {
  const auto add = [&](const std::string& text) { value = hash(std::span<const char>(text), value + 1); };
  if (options.boundaries) add("boundaries");
  for (const Constraint& item : options.constraints.items) {
    add(std::to_string(static_cast<int>(item.kind)));
    add(item.name);
    for (const std::string& word : item.words) add(word);
  }
  return value;
}

/// Pairs of nodes from a list of them.
Checkpoint make_checkpoint(std::span<const WordId> order, std::span<const std::uint32_t> nodes) {
  Checkpoint checkpoint;
  checkpoint.order.assign(order.begin(), order.end());
  for (std::size_t i = 0; i + 1 < nodes.size(); i += 2)
    checkpoint.merges.emplace_back(nodes[i], nodes[i + 1]);
  return checkpoint;
}

}  // namespace

std::uint64_t fingerprint(const Counts& counts, const BrownOptions& options, std::span<const WordId> order) {
  const std::array<std::uint64_t, 7> settings = {options.classes,
                                                 options.window,
                                                 static_cast<std::uint64_t>(options.variant),
                                                 options.resort_every,
                                                 static_cast<std::uint64_t>(options.resort_by),
                                                 static_cast<std::uint64_t>(options.marginals),
                                                 counts.info().tokens};
  std::uint64_t value = hash(std::span<const std::uint64_t>(settings), kKind.version);
  value = hash(order, value);
  value = add_rules(options, value);
  value = hash(counts.vocabulary().counts(), value);
  value = hash(counts.bigrams().offsets(), value);
  value = hash(counts.bigrams().rights(), value);
  return hash(counts.bigrams().counts(), value);
}

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint, std::uint64_t fingerprint) {
  std::vector<std::uint32_t> nodes;
  nodes.reserve(2 * checkpoint.merges.size());
  for (const auto& [left, right] : checkpoint.merges) nodes.insert(nodes.end(), {left, right});
  const std::array<base::Section, 3> sections = {base::make_section(kFingerprint, std::span(&fingerprint, 1)),
                                                 base::make_section(kOrder, checkpoint.order),
                                                 base::make_section(kMerges, nodes)};
  base::write_sections_now(path, kKind, sections);
}

std::optional<Checkpoint> load_checkpoint(const std::string& path, std::uint64_t fingerprint) {
  if (!base::exists(path)) return std::nullopt;
  const base::MappedFile file(path);
  base::SectionReader reader(path, file.bytes(), kKind);
  const auto print = reader.take<std::uint64_t>(kFingerprint);
  const auto order = reader.take<WordId>(kOrder);
  const auto nodes = reader.take<std::uint32_t>(kMerges);
  reader.finish();
  if (print.size() != 1) reader.damaged("no fingerprint");
  if (print[0] != fingerprint)
    throw FormatError(path, "the checkpoint belongs to other counts or options", kCheckpointRemedy);
  if (!is_permutation(order)) reader.damaged("words are missing or repeated");
  if (nodes.size() % 2 != 0 || nodes.size() / 2 >= std::max<std::size_t>(order.size(), 1))
    reader.damaged("more merges than words");
  return make_checkpoint(order, nodes);
}

Checkpointer::Checkpointer(const Counts& counts, const BrownOptions& options, std::span<const WordId> order)
    : path_(options.checkpoint_file),
      seconds_(options.checkpoint_seconds),
      resume_(options.resume),
      words_(order.size()) {
  if (!path_.empty()) fingerprint_ = fingerprint(counts, options, order);
}

std::optional<Checkpoint> Checkpointer::load() const {
  if (!resume_) return std::nullopt;
  std::optional<Checkpoint> found = load_checkpoint(path_, fingerprint_);
  if (found && found->order.size() != words_)
    throw FormatError(path_, "the checkpoint has not as many words as the counts", kCheckpointRemedy);
  return found;
}

bool Checkpointer::is_due() const {
  return !path_.empty() && std::chrono::duration<double>(Clock::now() - saved_).count() >= seconds_;
}

void Checkpointer::save(std::span<const WordId> order, std::span<const TreeMerge> merges,
                        const RunOptions& run) {
  if (path_.empty()) return;
  Checkpoint checkpoint{{order.begin(), order.end()}, {}};
  for (const TreeMerge& merge : merges) checkpoint.merges.emplace_back(merge.left, merge.right);
  saved_ = Clock::now();
  try {
    save_checkpoint(path_, checkpoint, fingerprint_);
  } catch (const IoError& error) {
    if (!warned_) base::warn(run, fmt::format("the checkpoint was not written: {}", error.what()));
    warned_ = true;
  }
}

}  // namespace firth::brown

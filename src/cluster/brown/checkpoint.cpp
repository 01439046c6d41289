#include "cluster/brown/checkpoint.hpp"

#include <xxhash.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <span>

#include "base/files.hpp"
#include "firth/error.hpp"

namespace firth::brown {
namespace {

constexpr std::array<char, 8> kMagic = {'F', 'I', 'R', 'T', 'H', 'B', 'R', 'C'};
constexpr std::uint32_t kVersion = 1;

/// The start of the file; words and merges follow, then the checksum of all before it.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t words = 0;
  std::uint64_t fingerprint = 0;
  std::uint64_t merges = 0;
};
static_assert(sizeof(Header) == 32);

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::uint64_t hash(std::span<const T> values, std::uint64_t seed) {
  return XXH3_64bits_withSeed(values.data(), values.size_bytes(), seed);
}

template <class T>
void copy_out(std::span<const std::byte>& from, std::vector<T>& to) {
  if (to.empty()) return;  // memcpy must not see a null pointer, not even for nothing
  std::memcpy(static_cast<void*>(to.data()), from.data(), to.size() * sizeof(T));
  from = from.subspan(to.size() * sizeof(T));
}

bool plausible(const Checkpoint& checkpoint) {
  const std::size_t words = checkpoint.order.size();
  if (checkpoint.merges.size() >= std::max<std::size_t>(words, 1)) return false;
  for (std::size_t i = 0; i < checkpoint.merges.size(); ++i)
    if (checkpoint.merges[i].first >= words + i || checkpoint.merges[i].second >= words + i) return false;
  return true;
}

}  // namespace

std::uint64_t fingerprint(const Counts& counts, const BrownOptions& options,
                          const std::vector<WordId>& order) {
  const std::array<std::uint64_t, 7> settings = {options.classes,
                                                 options.window,
                                                 static_cast<std::uint64_t>(options.variant),
                                                 options.resort_every,
                                                 static_cast<std::uint64_t>(options.resort_by),
                                                 static_cast<std::uint64_t>(options.marginals),
                                                 counts.info().tokens};
  std::uint64_t value = hash(std::span<const std::uint64_t>(settings), kVersion);
  value = hash(std::span<const WordId>(order), value);
  value = hash(counts.vocabulary().counts(), value);
  value = hash(counts.bigrams().offsets(), value);
  value = hash(counts.bigrams().rights(), value);
  return hash(counts.bigrams().counts(), value);
}

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint, std::uint64_t fingerprint) {
  const Header header{.words = static_cast<std::uint32_t>(checkpoint.order.size()),
                      .fingerprint = fingerprint,
                      .merges = checkpoint.merges.size()};
  std::string content(reinterpret_cast<const char*>(&header), sizeof(header));
  content += bytes_of(checkpoint.order);
  content += bytes_of(checkpoint.merges);
  const std::uint64_t checksum = XXH3_64bits(content.data(), content.size());
  content.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  base::OutputFile file(path);
  file.write(content);
  file.commit();
}

std::optional<Checkpoint> load_checkpoint(const std::string& path, std::uint64_t fingerprint) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const base::MappedFile file(path);
  std::span<const std::byte> rest = file.bytes();
  const auto refuse = [&](std::string_view problem) -> FormatError {
    return {path, problem, "remove the file to start from the beginning"};
  };
  Header header;
  if (rest.size() < sizeof(header) + sizeof(std::uint64_t)) throw refuse("not a checkpoint, or cut short");
  std::memcpy(&header, rest.data(), sizeof(header));
  if (header.magic != kMagic) throw refuse("not a checkpoint of Brown clustering");
  if (header.version != kVersion) throw refuse("a checkpoint of another version of Firth");
  const std::span<const std::byte> body = rest.first(rest.size() - sizeof(std::uint64_t));
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, rest.data() + body.size(), sizeof(checksum));
  if (checksum != XXH3_64bits(body.data(), body.size())) throw refuse("the checkpoint is damaged");
  if (header.fingerprint != fingerprint) throw refuse("the checkpoint belongs to other counts or options");
  Checkpoint checkpoint;
  const std::uint64_t expected = header.words * sizeof(WordId) + header.merges * 8;
  if (header.merges > header.words || body.size() - sizeof(header) != expected)
    throw refuse("the checkpoint is damaged");
  checkpoint.order.resize(header.words);
  checkpoint.merges.resize(header.merges);
  rest = body.subspan(sizeof(header));
  copy_out(rest, checkpoint.order);
  copy_out(rest, checkpoint.merges);
  if (!plausible(checkpoint)) throw refuse("the checkpoint is damaged");
  return checkpoint;
}

}  // namespace firth::brown

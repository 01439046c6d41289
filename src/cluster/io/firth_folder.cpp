#include "cluster/io/firth_folder.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/folder_commit.hpp"
#include "base/transaction.hpp"
#include "cluster/io/formats.hpp"
#include "cluster/io/text_table.hpp"
#include "cluster/io/word_list.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"
#include "text/whole_file.hpp"

namespace firth::clusters {
namespace {

constexpr const char* kPathsFile = "paths";
constexpr const char* kClassesFile = "classes.tsv";
constexpr const char* kMergesFile = "merges.tsv";
constexpr const char* kCountsFile = "counts.tsv";
constexpr const char* kBigramsFile = "bigrams.tsv";
constexpr const char* kPreprocessingFile = "preprocessing.txt";

std::string inside(const std::string& folder, const char* name) {
  return base::joined(folder, name);
}

bool has(const std::string& folder, const char* name) {
  return base::exists(inside(folder, name));
}

/// Word counts of a flat clustering, which has no paths to keep them in.
Vocabulary read_counts_file(const std::string& path) {
  const std::string text = read_bytes(path);
  const TextTable table(text, path);
  table.require_columns(2, 2, "word<TAB>count");
  std::vector<WordEntry> entries;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::optional<Count> count = parse_count(table.row(i)[1]);
    if (!count)
      table.fail(i, fmt::format("'{}' is not a count", shown(table.row(i)[1])), "expected word<TAB>count");
    entries.push_back({table.row(i)[0], table.line(i), 0, *count});
  }
  return make_word_list(path, entries).vocabulary;
}

/// The class numbers of classes.tsv, by word id of `vocabulary`: exactly these words.
std::vector<ClassId> read_class_numbers(const std::string& path, const Vocabulary& vocabulary) {
  const std::string text = read_bytes(path);
  const TextTable table(text, path);
  table.require_columns(2, 2, "word<TAB>class");
  const WordIndex index(vocabulary);
  std::vector<ClassId> classes(vocabulary.size(), kNoClass);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto row = table.row(i);
    const std::optional<WordId> word = index.find(row[0]);
    const std::optional<Count> id = parse_count(row[1]);
    if (!id || *id >= kNoClass) {
      table.fail(i, fmt::format("'{}' is not a class number", shown(row[1])), "expected word<TAB>class");
    }
    if (!word || classes[*word] != kNoClass) {
      table.fail(
          i,
          fmt::format("the word '{}' {}", shown(row[0]), word ? "comes twice" : "is not in the other files"),
          "the files of the folder do not belong together");
    }
    classes[*word] = static_cast<ClassId>(*id);
  }
  if (table.size() != vocabulary.size()) {
    throw InputError({path},
                     fmt::format("{} words, {} are in the other files", table.size(), vocabulary.size()),
                     "the files of the folder do not belong together");
  }
  return classes;
}

/// Adds the class bigrams of the folder, if it has them. `numbers` are the class numbers of its files: a
/// folder that was edited by hand may have others than the clustering.
Clustering with_bigrams(Clustering clustering, const std::string& folder, std::span<const ClassId> numbers) {
  if (!has(folder, kBigramsFile)) return clustering;
  const std::string path = inside(folder, kBigramsFile);
  ClassNumbers classes;
  for (WordId word = 0; word < numbers.size(); ++word)
    classes.emplace(numbers[word], clustering.class_of(word));
  clustering.set_class_bigrams(read_class_bigrams(read_bytes(path), path, classes));
  return clustering;
}

/// Those that a new result does not have would be read along with it.
bool is_result_file(std::string_view name) {
  return name == kPathsFile || name == kClassesFile || name == kMergesFile || name == kCountsFile ||
         name == kBigramsFile || name == kPreprocessingFile;
}

template <typename Write>
void write_file(const std::string& path, Write write) {
  base::OutputFile file(path);
  write([&file](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

Clustering read_files(const std::string& path) {
  const bool has_paths = has(path, kPathsFile);
  const bool has_classes = has(path, kClassesFile);
  const bool has_merges = has(path, kMergesFile);
  if (!has_paths && !has_classes) {
    throw InputError({path}, "the folder holds neither paths nor classes.tsv",
                     "give a folder that save_clustering() wrote, or a file of classes");
  }
  std::optional<Clustering> from_paths;
  if (has_paths) {
    from_paths = parse_clustering(read_bytes(inside(path, kPathsFile)), inside(path, kPathsFile),
                                  ClusterFormat::paths);
  }
  // wcluster's folders have no merges.tsv: their bits are all there is.
  if (!has_classes || (has_paths && !has_merges)) return *from_paths;

  const std::string classes_path = inside(path, kClassesFile);
  Vocabulary vocabulary;
  if (from_paths) {
    vocabulary = from_paths->vocabulary();
  } else if (has(path, kCountsFile)) {
    vocabulary = read_counts_file(inside(path, kCountsFile));
  } else {
    vocabulary =
        parse_clustering(read_bytes(classes_path), classes_path, ClusterFormat::classes).vocabulary();
  }
  const std::vector<ClassId> classes = read_class_numbers(classes_path, vocabulary);
  if (!has_merges) return with_bigrams({vocabulary, classes}, path, classes);
  const std::string merges_path = inside(path, kMergesFile);
  MergeTree tree = read_firth_merges(read_bytes(merges_path), merges_path);
  try {
    return with_bigrams({vocabulary, classes, std::move(tree)}, path, classes);
  } catch (const UsageError& error) {
    throw InputError({merges_path}, error.what(), "the files of the folder do not belong together");
  }
}

}  // namespace

std::string read_bytes(const std::string& path, const std::stop_token& stop) {
  return text::read_whole_text(text::InputFile{.path = path, .stop = stop}, {.stop = stop});
}

Clustering read_folder(const std::string& path) {
  const std::vector<std::string> names = {kPathsFile,  kClassesFile, kMergesFile,
                                          kCountsFile, kBigramsFile, kPreprocessingFile};
  std::optional<Clustering> clustering;
  base::read_together(path, names, [&] {
    clustering = read_files(path);
    if (has(path, kPreprocessingFile))
      clustering->set_preprocessing(text::parse_preprocessing(read_bytes(inside(path, kPreprocessingFile))));
  });
  return std::move(*clustering);
}

void write_folder(const std::string& path, const Clustering& clustering) {
  const std::optional<MergeTree>& tree = clustering.tree();
  const bool has_bits = tree && tree->merges.size() + 1 == tree->leaves;
  base::Transaction files;
  files.claim(path, is_result_file);
  write_file(inside(path, kClassesFile), [&](const Sink& sink) { write_classes(clustering, sink); });
  if (has_bits) {
    write_file(inside(path, kPathsFile), [&](const Sink& sink) { write_paths(clustering, sink); });
  } else {
    write_file(inside(path, kCountsFile),
               [&](const Sink& sink) { write_word_counts(clustering.vocabulary(), sink); });
  }
  if (tree) write_file(inside(path, kMergesFile), [&](const Sink& sink) { write_firth_merges(*tree, sink); });
  if (clustering.class_bigrams().total() > 0) {
    write_file(inside(path, kBigramsFile),
               [&](const Sink& sink) { write_class_bigrams(clustering.class_bigrams(), sink); });
  }
  if (clustering.preprocessing()) {
    write_file(inside(path, kPreprocessingFile),
               [&](const Sink& sink) { sink(text::describe(*clustering.preprocessing()) + "\n"); });
  }
  files.commit();
}

}  // namespace firth::clusters

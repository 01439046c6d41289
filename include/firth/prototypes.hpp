// Tags for a language without tagged text: one word of each class is tagged by hand, and stands for the others.
//
//   const firth::Clustering classes = firth::load_clustering("out");
//   firth::save_prototypes("to-tag.tsv", firth::choose_prototypes(classes, "text.txt"));
//   // ... somebody writes a tag beside each word ...
//   const auto tagged = firth::load_prototypes("to-tag.tsv");
//   firth::PrototypeTagger(classes, tagged).tag("text.txt", {}, [](auto words, auto tags) { use(words, tags); });
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "firth/inputs.hpp"
#include "firth/run.hpp"
#include "firth/text.hpp"

namespace firth {

/// The word that stands for a class: its most frequent one (Lamar et al. 2010, section 4).
struct Prototype {
  std::string word = {};
  /// What a person says of the word; empty until then.
  std::string tag = {};
  ClassId class_id = 0;
  /// Tokens of the class in the text.
  Count tokens = 0;
  /// Places in the text, the word among its neighbours.
  std::vector<std::string> contexts = {};
  /// The line of the list that has it, for messages; without a path it came from a program.
  SourceLocation where = {};
};

struct PrototypeOptions {
  /// Places shown for each word, from all over the text, 0..100.
  std::uint32_t contexts = 3;
  /// Words on each side of a place, 0..100.
  std::uint32_t width = 5;
  TextOptions text = {};
};

/// Throws UsageError if the options make no sense.
void validate(const PrototypeOptions& options);

/// The prototypes of all classes that have a token in the text, classes of most tokens first. The text is read
/// twice; what can be read only once is copied to run.temp_folder. Throws UsageError, InputError, IoError, Cancelled.
[[nodiscard]] std::vector<Prototype> choose_prototypes(const Clustering& classes, const Inputs& text,
                                                       const PrototypeOptions& options = {},
                                                       const RunOptions& run = {});

/// A table to edit: word, tag (? = none yet), class, tokens, and the places, with tabs between; the first line
/// names the columns. Throws IoError.
void save_prototypes(const std::string& path, std::span<const Prototype> prototypes);

/// Reads word and tag of each line; what else is there may be changed or left out. Throws InputError, IoError,
/// Cancelled.
[[nodiscard]] std::vector<Prototype> load_prototypes(const Inputs& list, const RunOptions& run = {});

/// Gets a sentence's words as they were read, and their tags; an empty tag where none is known.
using TagSink =
    std::function<void(std::span<const std::string_view> words, std::span<const std::string_view> tags)>;

/// Tags text by prototypes.
class PrototypeTagger {
 public:
  /// Throws UsageError if a prototype is not among the words, if two prototypes of one class have different tags, or
  /// if there is no tag at all. Prototypes without a tag are left out.
  PrototypeTagger(Clustering classes, std::span<const Prototype> prototypes);

  /// Each word gets the tag of the prototype of its class; a word without a class, that of the class which fits
  /// its spelling. Throws InputError, IoError, Cancelled.
  void tag(const Inputs& text, const TextOptions& options, const TagSink& sink,
           const RunOptions& run = {}) const;

 private:
  Clustering classes_;
  std::vector<std::string> tags_;  // by class
};

}  // namespace firth

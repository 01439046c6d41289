#include "cluster/exchange/start.hpp"

#include <fmt/format.h>

#include <utility>

#include "firth/error.hpp"

namespace firth::exchange {
namespace {

std::vector<ClassId> plain_start(SearchContext& context, ExchangeInit init, ClassId classes) {
  std::vector<ClassId> class_of = context.modulo(classes);
  if (init == ExchangeInit::modulo) return class_of;
  // The first K units get a class each whatever the start, so that no class is empty.
  const ClassId first = context.first_class();
  for (UnitId unit = classes - first; unit + first < class_of.size(); ++unit)
    class_of[unit] = init == ExchangeInit::random
                         ? first + static_cast<ClassId>(context.rng().below(classes - first))
                         : classes - 1;
  return class_of;
}

/// Classes of units from those of words: a unit follows its first known word.
std::vector<ClassId> look_up_units(const Units& units, const Vocabulary& words, const Clustering& given) {
  const WordIndex index(given.vocabulary());
  std::vector<ClassId> class_of(units.count, kNoClass);
  for (std::size_t i = 0; i < units.words.size(); ++i) {
    ClassId& c = class_of[units.unit_of[i]];
    const auto word = index.find(words.word(units.words[i]));
    if (word && c == kNoClass) c = given.class_of(*word);
  }
  return class_of;
}

/// A state of the given classes; classes without a word of this text vanish, and units without a class go
/// where they fit best.
State place_given(SearchContext& context, std::vector<ClassId> class_of, ClassId given_classes) {
  std::vector<ClassId> number(given_classes, kNoClass);
  const ClassId first = context.first_class();
  ClassId found = first;
  std::vector<UnitId> unplaced;
  if (context.units().boundary) class_of.back() = 0;
  for (UnitId unit = 0; unit + first < class_of.size(); ++unit) {
    ClassId& c = class_of[unit];
    if (c == kNoClass) {
      unplaced.push_back(unit);
      continue;
    }
    if (number[c] == kNoClass) number[c] = found++;
    c = number[c];
  }
  if (unplaced.empty()) return context.start(found, std::move(class_of));
  for (const UnitId unit : unplaced) class_of[unit] = found;
  return context.place(context.resume(found + 1, std::move(class_of)), unplaced);
}

/// The state with the wanted number of classes.
State reach(SearchContext& context, State state, ClassId classes) {
  const ClassId wanted = context.with_boundary_class(classes);
  state = context.merged(std::move(state), wanted);
  while (state.classes() < wanted) {
    const ClassId before = state.classes();
    state = context.split(state, wanted);
    if (state.classes() == before) {
      throw UsageError(fmt::format("the start cannot be split into {} classes", classes),
                       "ask for fewer classes", "ExchangeOptions::classes");
    }
  }
  if (!context.units().constrained()) return state;
  return context.start(state.classes(), {state.class_of().begin(), state.class_of().end()});
}

/// Class of each word that takes part, kNoClass for words that the start did not have.
std::vector<ClassId> classes_of_known(const Units& units, const Vocabulary& words, const Clustering& given,
                                      const State& state) {
  const WordIndex index(given.vocabulary());
  std::vector<ClassId> known(units.words.size(), kNoClass);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (index.find(words.word(units.words[i]))) known[i] = state.class_of()[units.unit_of[i]];
  }
  return known;
}

Start warm_start(SearchContext& context, const Counts& counts, const ExchangeOptions& options) {
  const Units& units = context.units();
  const Clustering& given = *options.start;
  std::vector<ClassId> class_of = look_up_units(units, counts.vocabulary(), given);
  State state =
      reach(context, place_given(context, std::move(class_of), given.class_count()), options.classes);
  std::vector<ClassId> known = classes_of_known(units, counts.vocabulary(), given, state);
  return {std::move(state), std::move(known)};
}

}  // namespace

Start make_start(SearchContext& context, const Counts& counts, const ExchangeOptions& options) {
  if (options.init == ExchangeInit::given) return warm_start(context, counts, options);
  const ClassId classes = context.with_boundary_class(options.classes);
  return {context.start(classes, plain_start(context, options.init, classes)), {}};
}

WarmStart compare_words(const Units& units, const Vocabulary& words, const Clustering& given) {
  const WordIndex index(given.vocabulary());
  WarmStart warm;
  for (const WordId word : units.words) ++(index.find(words.word(word)) ? warm.known : warm.added);
  if (warm.known == 0) {
    throw UsageError("the clustering to start from has no word of the text",
                     "give one of the same language, or another ExchangeOptions::init",
                     "ExchangeOptions::start");
  }
  return warm;
}

}  // namespace firth::exchange

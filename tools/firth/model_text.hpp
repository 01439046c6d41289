// Text that is read with a model is prepared as the model's own text was.
#pragma once

#include <firth/text.hpp>
#include <optional>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// Which parts of the preprocessing matter to a command.
enum class FollowWhat {
  all,
  words,  ///< not where sequences end
};

/// What a text was made into before its words were counted, as options; "as it is" if nothing.
std::string reading_name(const Preprocessing& done);

/// The options of text of a command that has a model, too.
class ModelText {
 public:
  /// Declares the options of text, and --no-preprocessing.
  void declare(OptionTable& options, TextOptions& text);

  /// Options that were not given take the values that the model was made with, which is said once; options that
  /// contradict them give a warning. Count files among the inputs are what they are.
  void follow(const std::optional<Preprocessing>& stored, const std::string& model,
              const std::vector<std::string>& inputs, Session& session,
              FollowWhat what = FollowWhat::all) const;

  /// For one of several models that each have their own reading of the text: the options that follow() would take, which
  /// are not taken here, nor said; options that contradict the model give the same warning.
  TextOptions reading_of(const std::optional<Preprocessing>& stored, const std::string& model,
                         const std::vector<std::string>& inputs, Session& session, FollowWhat what) const;

 private:
  struct Differences;

  bool is_given(const std::string& name) const;
  /// Whether there is text that can be read in one way or another.
  bool reads_words(const std::vector<std::string>& inputs) const;
  /// `given` tells which options have their values from the command line.
  template <class Given>
  static Differences settle(TextOptions& text, const Preprocessing& stored, FollowWhat what, Given given);

  const OptionTable* options_ = nullptr;
  TextOptions* text_ = nullptr;
  bool ignored_ = false;
};

}  // namespace firth::cli

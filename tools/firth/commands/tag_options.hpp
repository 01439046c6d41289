// Options that the commands with tokens, class features and taggers share.
#pragma once

#include <firth/features.hpp>
#include <firth/tagger.hpp>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// --format, --word-column, --tag-column, --invalid-utf8.
void declare_token_options(OptionTable& options, TokenOptions& tokens);

/// --prefixes, --no-bits, --cuts, --unknown.
struct ClassFeatureChoice {
  ClassFeatureOptions options;
  bool no_bits = false;

  ClassFeatureOptions get() const {
    ClassFeatureOptions chosen = options;
    chosen.full = !no_bits;
    return chosen;
  }
};
void declare_class_features(OptionTable& options, ClassFeatureChoice& choice);

/// --scheme, --passes, --beam, --vector-length.
void declare_training(OptionTable& options, TaggerOptions& training);

/// Reads every clustering and all vectors that were named.
TaggerKnowledge load_knowledge(const std::vector<std::string>& clusters,
                               const std::vector<std::string>& vectors, const ClassFeatureOptions& features,
                               const RunOptions& run);

/// "61.80" of 0.618.
std::string percent(double fraction);

}  // namespace firth::cli

// Tagging in the obvious way: every feature of every word looked up, every sequence of tags tried.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tagger/decode.hpp"
#include "tagger/model.hpp"

namespace firth::reference {

/// Scores of a word for every tag after a history, made of all its features one by one.
std::vector<tagger::Score> naive_scores(const tagger::Model& model,
                                        const std::vector<std::string_view>& words, std::size_t i,
                                        tagger::History history);

/// From left to right, each time the best tag that may follow.
std::vector<TagId> naive_greedy(const tagger::Model& model, const std::vector<std::string_view>& words);

/// The score of a whole sequence of tags.
tagger::Score sequence_score(const tagger::Lattice& lattice, tagger::HistoryScorer& scorer,
                             std::span<const TagId> tags);

/// Every sequence of tags that is allowed is scored; the best score.
tagger::Score naive_best_score(const tagger::Lattice& lattice, tagger::HistoryScorer& scorer);

/// Calls use(tags) for every sequence of tags that is allowed.
void for_each_sequence(const tagger::TagSet& tags, std::size_t length,
                       const std::function<void(const std::vector<TagId>&)>& use);

/// A beam as a list of whole sequences, sorted after every word.
std::vector<TagId> naive_beam(const tagger::Lattice& lattice, tagger::HistoryScorer& scorer,
                              std::size_t width);

}  // namespace firth::reference

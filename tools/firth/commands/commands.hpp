// The makers of the commands, each in a file of its own in this folder.
#pragma once

#include <memory>

#include "command.hpp"

namespace firth::cli {

std::unique_ptr<Command> make_count_command();
std::unique_ptr<Command> make_phrases_command();
std::unique_ptr<Command> make_cluster_command();
std::unique_ptr<Command> make_choose_command();
std::unique_ptr<Command> make_compare_command();
std::unique_ptr<Command> make_tree_command();
std::unique_ptr<Command> make_assign_command();
std::unique_ptr<Command> make_convert_command();
std::unique_ptr<Command> make_evaluate_command();
std::unique_ptr<Command> make_report_command();
std::unique_ptr<Command> make_show_command();
std::unique_ptr<Command> make_lm_count_command();
std::unique_ptr<Command> make_lm_train_command();
std::unique_ptr<Command> make_lm_score_command();
std::unique_ptr<Command> make_lm_predict_command();
std::unique_ptr<Command> make_lm_sample_command();
std::unique_ptr<Command> make_lm_rescore_command();
std::unique_ptr<Command> make_lm_mix_command();
std::unique_ptr<Command> make_lm_export_command();
std::unique_ptr<Command> make_lm_add_words_command();
std::unique_ptr<Command> make_pipeline_command();
std::unique_ptr<Command> make_parse_train_command();
std::unique_ptr<Command> make_parse_run_command();
std::unique_ptr<Command> make_features_command();
std::unique_ptr<Command> make_prototypes_command();
std::unique_ptr<Command> make_tag_train_command();
std::unique_ptr<Command> make_tag_run_command();
std::unique_ptr<Command> make_tag_score_command();
std::unique_ptr<Command> make_tag_apply_command();
std::unique_ptr<Command> make_tag_compare_command();
std::unique_ptr<Command> make_parse_score_command();
std::unique_ptr<Command> make_parse_probability_command();
std::unique_ptr<Command> make_hmm_train_command();
std::unique_ptr<Command> make_hmm_tag_command();
std::unique_ptr<Command> make_embed_command();
std::unique_ptr<Command> make_nearest_command();
std::unique_ptr<Command> make_sample_brown_command();
std::unique_ptr<Command> make_sample_lpcfg_command();

}  // namespace firth::cli

#include "commands/commands.hpp"

namespace firth::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_count_command());
  commands.push_back(make_phrases_command());
  commands.push_back(make_cluster_command());
  commands.push_back(make_choose_command());
  commands.push_back(make_compare_command());
  commands.push_back(make_tree_command());
  commands.push_back(make_assign_command());
  commands.push_back(make_convert_command());
  commands.push_back(make_evaluate_command());
  commands.push_back(make_report_command());
  commands.push_back(make_show_command());
  commands.push_back(make_embed_command());
  commands.push_back(make_nearest_command());
  commands.push_back(make_hmm_train_command());
  commands.push_back(make_hmm_tag_command());
  commands.push_back(make_lm_count_command());
  commands.push_back(make_lm_train_command());
  commands.push_back(make_lm_score_command());
  commands.push_back(make_lm_predict_command());
  commands.push_back(make_lm_sample_command());
  commands.push_back(make_lm_mix_command());
  commands.push_back(make_lm_rescore_command());
  commands.push_back(make_lm_export_command());
  commands.push_back(make_lm_add_words_command());
  commands.push_back(make_features_command());
  commands.push_back(make_prototypes_command());
  commands.push_back(make_tag_train_command());
  commands.push_back(make_tag_run_command());
  commands.push_back(make_tag_score_command());
  commands.push_back(make_tag_compare_command());
  commands.push_back(make_tag_apply_command());
  commands.push_back(make_pipeline_command());
  commands.push_back(make_parse_train_command());
  commands.push_back(make_parse_run_command());
  commands.push_back(make_parse_score_command());
  commands.push_back(make_parse_probability_command());
  commands.push_back(make_sample_brown_command());
  commands.push_back(make_sample_lpcfg_command());
  return commands;
}

}  // namespace firth::cli

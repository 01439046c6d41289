#include "base/internals.hpp"
#include "firth/error.hpp"
#include "lm/model.hpp"
#include "lm/text_ids.hpp"
#include "text/inputs.hpp"
#include "text/text_file.hpp"

namespace firth {

void map_text(const std::string& path, const Inputs& inputs, const LanguageModel& model,
              const TextOptions& text, const RunOptions& run) {
  if (!model.has_classes()) throw UsageError("this model has no classes", "train one with train_class_lm()");
  text::TextFile file(path);
  std::string line;
  lm::visit_sentences(
      {text::expand_inputs(inputs, run.stop), text, true}, base::internals(model).words,
      [&](std::span<const WordId> words) {
        line.clear();
        for (const WordId word : words) {
          if (!line.empty()) line += ' ';
          line += model.class_name(model.class_of(word));
        }
        line += '\n';
        file.write(line);
      },
      run);
  file.commit();
}

}  // namespace firth

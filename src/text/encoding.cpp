#include "firth/encoding.hpp"

#include <utility>

#include "base/internals.hpp"
#include "text/decoder.hpp"
#include "text/memory_input.hpp"

namespace firth {
namespace text {
namespace {

/// Inputs whose files are not in UTF-8. Never opened itself: its files are.
class EncodedInputs final : public MemoryInput {
 public:
  EncodedInputs(Inputs inputs, std::string encoding)
      : MemoryInput(inputs.first_name(), false, true),
        inputs_(std::move(inputs)),
        encoding_(std::move(encoding)) {}

  std::vector<InputFile> files(const std::stop_token& stop) override {
    std::vector<InputFile> found = expand_inputs(inputs_, stop);
    for (InputFile& file : found) {
      if (!file.is_tokens()) file.encoding = encoding_;
    }
    return found;
  }
  std::shared_ptr<MemoryInput> expanded() override {
    return std::make_shared<EncodedInputs>(expand_folders(inputs_), encoding_);
  }
  std::unique_ptr<RawSource> open() override { return open_raw(files({}).front()); }

 private:
  Inputs inputs_;
  std::string encoding_;
};

}  // namespace
}  // namespace text

Inputs decoded(const Inputs& inputs, const std::string& encoding) {
  const std::string name = text::canonical_encoding(encoding);
  if (name.empty() || inputs.empty()) return inputs;
  const std::shared_ptr<text::MemoryInput> inside = std::make_shared<text::EncodedInputs>(inputs, name);
  return detail::ModelAccess::make<Inputs>(inside);
}

}  // namespace firth

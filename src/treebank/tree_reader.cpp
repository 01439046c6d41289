#include "text/block_reader.hpp"
#include "text/block_words.hpp"
#include "text/inputs.hpp"
#include "treebank/bracket_parser.hpp"

namespace firth {

struct TreeReader::Impl {
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  Impl(const Inputs& inputs, TreeLayout layout, const RunOptions& run_options)
      : run(run_options),
        blocks(text::expand_inputs(inputs, run_options.stop), text::CutAt::line, kBlockBytes),
        parser(layout) {}

  // Another line goes to the parser; false at the end of everything.
  bool read_line() {
    while (left.empty()) {
      run.check_stop();
      if (!blocks.next(block)) {
        parser.end_file();
        return false;
      }
      if (block.starts_file) parser.end_file();
      text::check_block(block, InvalidUtf8::error);
      left = block.text();
      line_number = block.first_line;
    }
    const std::size_t end = left.find('\n');
    std::string_view line = left.substr(0, end);
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    parser.add_line(line, {text::display_name(block.path), line_number++, 0});
    return true;
  }

  RunOptions run;
  text::BlockReader blocks;
  text::Block block;
  std::string_view left;
  std::uint64_t line_number = 1;
  treebank::BracketParser parser;
  SourceLocation where;
};

TreeReader::TreeReader(const Inputs& inputs, TreeLayout layout, const RunOptions& run)
    : impl_(std::make_unique<Impl>(inputs, layout, run)) {}

TreeReader::~TreeReader() = default;
TreeReader::TreeReader(TreeReader&&) noexcept = default;
TreeReader& TreeReader::operator=(TreeReader&&) noexcept = default;

bool TreeReader::next(Tree& tree) {
  while (!impl_->parser.take(tree, impl_->where)) {
    if (!impl_->read_line()) return impl_->parser.take(tree, impl_->where);
  }
  return true;
}

const SourceLocation& TreeReader::where() const {
  return impl_->where;
}

std::uint64_t TreeReader::left_out() const {
  return impl_->parser.left_out();
}

}  // namespace firth

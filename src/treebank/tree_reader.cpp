#include "text/line_reader.hpp"
#include "treebank/bracket_parser.hpp"

namespace firth {

struct TreeReader::Impl {
  Impl(const Inputs& inputs, TreeLayout layout, const RunOptions& run)
      : lines(text::expand_inputs(inputs, run.stop), run), parser(layout) {}

  // Another line goes to the parser; false at the end of everything.
  bool read_line() {
    std::string_view line;
    const bool more = lines.next(line);
    if (!more || lines.starts_file()) parser.end_file();
    if (more) parser.add_line(line, lines.where());
    return more;
  }

  text::LineReader lines;
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

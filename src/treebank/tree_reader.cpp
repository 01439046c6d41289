#include <utility>

#include "text/line_reader.hpp"
#include "treebank/bracket_parser.hpp"

namespace firth {

struct TreeReader::Impl {
  Impl(const Inputs& inputs, TreeLayout layout, const RunOptions& run)
      : lines(text::expand_inputs(inputs, run.stop), run,
              text::BlockOptions{.max_bytes = text::max_line_bytes(run.memory_bytes),
                                 .as_it_comes = true,
                                 .before_waiting =
                                     [this] {
                                       if (before_waiting) before_waiting();
                                     }}),
        parser(layout) {}

  // Another line goes to the parser; false at the end of everything.
  bool read_line() {
    std::string_view line;
    const bool more = lines.next(line);
    if (!more || lines.starts_file()) try_to([&] { parser.end_file(); });
    if (!more) return false;
    const bool begins = line.starts_with('(');
    if (skips_bad && begins && parser.is_open()) {
      try_to([&] { parser.end_file(); });
    }
    skipping = skipping && !begins;
    if (!skipping) try_to([&] { parser.add_line(line, lines.where()); });
    return true;
  }

  /// Errors are counted where bad trees are to be skipped.
  template <class Action>
  void try_to(const Action& action) {
    try {
      action();
    } catch (const InputError& error) {
      if (!skips_bad) throw;
      if (bad++ == 0) first_problem = error.what();
      parser.drop();
      skipping = true;
    }
  }

  text::LineReader lines;
  treebank::BracketParser parser;
  SourceLocation where;
  bool skips_bad = false;
  bool skipping = false;  ///< until the next tree begins
  std::uint64_t bad = 0;
  std::string first_problem;
  std::function<void()> before_waiting;
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

void TreeReader::before_waiting(std::function<void()> action) {
  impl_->before_waiting = std::move(action);
}

void TreeReader::skip_bad() {
  impl_->skips_bad = true;
}

std::uint64_t TreeReader::bad() const {
  return impl_->bad;
}

const std::string& TreeReader::first_problem() const {
  return impl_->first_problem;
}

std::uint64_t TreeReader::left_out() const {
  return impl_->parser.left_out();
}

}  // namespace firth

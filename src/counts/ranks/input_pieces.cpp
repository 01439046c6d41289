#include "counts/ranks/input_pieces.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "text/byte_source.hpp"
#include "text/characters.hpp"
#include "text/parse_block.hpp"
#include "text/text_options.hpp"

namespace firth::counts {
namespace {

/// Shorter stretches are not worth a seek.
constexpr std::uint64_t kMinPiece = std::uint64_t{1} << 14;
/// How far to look for the end of a line before the end of a word will do.
constexpr std::uint64_t kFarLine = std::uint64_t{1} << 20;
constexpr std::size_t kWindow = std::size_t{1} << 16;

/// A file, or a part of one.
struct Piece {
  std::string path;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // 0 = all of it
};

/// The first place after `from` where the file may be cut; its size if there is none.
std::uint64_t find_cut(const text::InputFile& file, std::uint64_t from, text::CutAt cut) {
  text::InputFile rest = file;
  rest.begin = from;
  rest.size = file.size - from;
  const auto source = text::open_raw(rest);
  std::vector<char> window(kWindow);
  std::uint64_t place = from;
  std::uint64_t space = 0;
  for (std::size_t got = 0; (got = source->read(window.data(), window.size())) > 0; place += got) {
    for (std::size_t i = 0; i < got; ++i) {
      if (window[i] == '\n') return place + i + 1;
      if (space == 0 && cut == text::CutAt::space && text::is_space(window[i])) space = place + i + 1;
    }
    if (space != 0 && place - from > kFarLine) return space;
  }
  return space != 0 ? space : file.size;
}

bool can_be_cut(const text::InputFile& file, text::CutAt cut) {
  constexpr std::size_t kMagicBytes = 6;
  if (cut != text::CutAt::space && cut != text::CutAt::line) return false;
  if (file.size < 2 * kMinPiece) return false;
  const std::string begin = text::first_bytes(file.path, kMagicBytes);
  return text::detect_compression(begin.data(), begin.size()) == text::Compression::none;
}

/// Files that any rank can open.
bool is_for_all(const text::InputFile& file) {
  return file.rereadable && file.memory == nullptr && file.spool == nullptr && file.encoding.empty() &&
         file.path != text::kStandardInput;
}

/// Deals pieces in order, so that every rank gets about the same number of bytes.
class Dealer {
 public:
  Dealer(std::uint64_t bytes, unsigned ranks) : bytes_(bytes), pieces_(ranks) {}

  void deal_whole(const text::InputFile& file) {
    pieces_[rank_at(dealt_ + file.size / 2)].push_back({file.path});
    dealt_ += file.size;
  }

  void deal_in_parts(const text::InputFile& file, text::CutAt cut) {
    std::uint64_t begin = 0;
    while (begin < file.size) {
      const std::size_t rank = rank_at(dealt_);
      const std::uint64_t wanted = std::max(kMinPiece, border(rank + 1) - dealt_);
      std::uint64_t end = file.size;
      if (rank + 1 < pieces_.size() && begin + wanted + kMinPiece < file.size) {
        end = find_cut(file, begin + wanted, cut);
      }
      const bool whole = begin == 0 && end == file.size;
      pieces_[rank].push_back(whole ? Piece{file.path} : Piece{file.path, begin, end});
      dealt_ += end - begin;
      begin = end;
    }
  }

  const std::vector<std::vector<Piece>>& pieces() const { return pieces_; }

 private:
  /// The first byte of all inputs that falls to a rank.
  std::uint64_t border(std::size_t rank) const {
    return static_cast<std::uint64_t>(static_cast<double>(bytes_) * static_cast<double>(rank) /
                                      static_cast<double>(pieces_.size()));
  }
  std::size_t rank_at(std::uint64_t place) const {
    std::size_t rank = 0;
    while (rank + 1 < pieces_.size() && border(rank + 1) <= place) ++rank;
    return rank;
  }

  std::uint64_t bytes_;
  std::uint64_t dealt_ = 0;
  std::vector<std::vector<Piece>> pieces_;
};

std::vector<std::byte> deal_all(const std::vector<text::InputFile>& files, text::CutAt cut, unsigned ranks) {
  std::vector<text::InputFile> shared;
  std::ranges::copy_if(files, std::back_inserter(shared), is_for_all);
  Dealer dealer(text::total_size(shared), ranks);
  for (const text::InputFile& file : shared) {
    if (can_be_cut(file, cut)) {
      dealer.deal_in_parts(file, cut);
    } else {
      dealer.deal_whole(file);
    }
  }
  base::MessageWriter writer;
  for (const auto& pieces : dealer.pieces()) {
    writer.put(std::uint64_t{pieces.size()});
    for (const Piece& piece : pieces) {
      writer.put_text(piece.path);
      writer.put(piece.begin);
      writer.put(piece.end);
    }
  }
  return writer.take();
}

std::vector<Piece> pieces_of(unsigned wanted, std::span<const std::byte> dealt) {
  base::MessageReader reader(dealt);
  std::vector<Piece> pieces;
  for (unsigned rank = 0; rank <= wanted; ++rank) {
    pieces.clear();
    for (auto left = reader.get<std::uint64_t>(); left > 0; --left) {
      Piece& piece = pieces.emplace_back(Piece{reader.get_text()});
      piece.begin = reader.get<std::uint64_t>();
      piece.end = reader.get<std::uint64_t>();
    }
  }
  return pieces;
}

text::InputFile open_piece(const Piece& piece, const std::stop_token& stop) {
  text::InputFile file = text::single_input(piece.path, stop);
  if (piece.end == 0) return file;
  file.goes_on = piece.end < file.size;
  file.begin = piece.begin;
  file.size = piece.end - piece.begin;
  return file;
}

/// Line ends of the file before the part that was read.
std::uint64_t lines_before(const text::InputFile& part) {
  text::InputFile before = part;
  before.begin = 0;
  before.size = part.begin;
  before.goes_on = true;
  const auto source = text::open_raw(before);
  std::vector<char> window(std::size_t{1} << 16);
  std::uint64_t lines = 0;
  while (const std::size_t got = source->read(window.data(), window.size())) {
    lines += static_cast<std::uint64_t>(
        std::count(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
  }
  return lines;
}

}  // namespace

text::CutAt agree_on_format(const std::vector<text::InputFile>& files, TextOptions& options,
                            const base::Ranks& ranks, const RunOptions& run) {
  std::array<std::uint64_t, 3> found = {0, 0, 0};
  base::together(ranks, [&] {
    if (!ranks.is_root()) return;
    options = text::resolve_format(files, options);
    const text::BlockOptions blocks = text::BlockParser(options, run).block_options();
    const bool has_head = blocks.keep_head;  // the names of columns are at the start of a file
    found = {static_cast<std::uint64_t>(options.format),
             static_cast<std::uint64_t>(has_head ? text::CutAt::record : blocks.cut),
             options.tokenize ? std::uint64_t{1} : 0};
  });
  ranks.world().broadcast(std::as_writable_bytes(std::span(found)), 0);
  options.format = static_cast<InputFormat>(found[0]);
  options.tokenize = found[2] == 1;  // words of some formats are words already
  return static_cast<text::CutAt>(found[1]);
}

std::vector<text::InputFile> deal_inputs(const std::vector<text::InputFile>& files, text::CutAt cut,
                                         const base::Ranks& ranks, const std::stop_token& stop) {
  std::vector<std::byte> dealt;
  base::together(ranks, [&] {
    if (ranks.is_root()) dealt = deal_all(files, cut, ranks.size());
  });
  ranks.broadcast(dealt);
  std::vector<text::InputFile> own;
  // First, because rank 1 may go on with the last file of rank 0.
  if (ranks.is_root()) {
    std::ranges::copy_if(files, std::back_inserter(own),
                         [](const text::InputFile& file) { return !is_for_all(file); });
  }
  base::together(ranks, [&] {
    for (const Piece& piece : pieces_of(ranks.rank(), dealt)) own.push_back(open_piece(piece, stop));
  });
  return own;
}

void throw_with_line(const InputError& error, const std::vector<text::InputFile>& files) {
  for (const text::InputFile& file : files) {
    if (file.begin == 0 || error.where().line == 0 || text::display_name(file.path) != error.where().path)
      continue;
    SourceLocation where = error.where();
    where.line += lines_before(file);
    throw InputError(where, base::problem_of(error), error.hint());
  }
  throw error;
}

}  // namespace firth::counts

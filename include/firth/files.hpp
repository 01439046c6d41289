// Output as a whole: what a run writes appears complete, together, or not at all.
//
//   firth::OutputTransaction outputs;
//   outputs.claim_folder("out");  // fails now if it cannot be written; the long work follows
//   firth::save_counts("out/text.counts", counts);
//   firth::save_text("out/notes.txt", "what I was up to");
//   outputs.commit();  // now both are there, and an earlier result is gone
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace firth {

/// While it lives, every file that this thread saves is complete and on the disk but has no name yet; commit()
/// gives all of them their names. Destroyed without commit(), nothing was written. All functions throw IoError.
class OutputTransaction {
 public:
  OutputTransaction();
  ~OutputTransaction();
  OutputTransaction(const OutputTransaction&) = delete;
  OutputTransaction& operator=(const OutputTransaction&) = delete;

  /// Files saved into this folder are one result and replace an earlier one at one stroke, even if the process
  /// is killed meanwhile. Files of an earlier result, `belongs(name)`, go; others in the folder stay. The folder
  /// is made by commit() if it is missing. Throws at once if it cannot be written.
  void claim_folder(const std::string& path, std::function<bool(std::string_view name)> belongs = nullptr);

  /// Files outside of a claimed folder get their names one after the other, when all are complete.
  void commit();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Throws IoError if a file of this name could not be written; to be asked before long work.
void check_output_file(const std::string& path);

/// The same for a folder, which need not exist yet.
void check_output_folder(const std::string& path);

/// `.gz`, `.zst` or `.xz` if a name ends in it, otherwise nothing. Text, tables, pages and pictures of such names are
/// written compressed; counts and models, which are mapped into memory, are refused.
[[nodiscard]] std::string_view compressed_ending(std::string_view path) noexcept;

/// Writes a file, complete or not at all, compressed if its name says so; "-" is standard output.
void save_text(const std::string& path, std::string_view text);

/// The name of a file that is mapped into memory and was changed in place, or whose mapping `address` lies in;
/// nullptr if there is none. Safe in handlers of SIGBUS and SIGSEGV, which such a change may cause.
[[nodiscard]] const char* changed_mapped_file(const void* address) noexcept;

/// Writes "PROGRAM: error: FILE: the file changed while it was read" to standard error if there is such a file, and
/// says whether it did. Safe in handlers of SIGBUS and SIGSEGV.
[[nodiscard]] bool report_changed_file(const char* program, const void* address) noexcept;

}  // namespace firth

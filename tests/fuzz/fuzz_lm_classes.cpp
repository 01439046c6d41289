// SRILM's classes-format beside an ARPA file that has the classes A, B and C.
#include "lm_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch arpa;
  static const firth::fuzz::Scratch classes;
  static const std::string arpa_path = arpa.write(
      "\\data\\\nngram 1=7\nngram 2=2\n\\1-grams:\n-1 <unk>\n-99 <s> -0.1\n-1 </s>\n-0.5 A -0.2\n-0.5 "
      "B\n-0.9 C\n-1 "
      "word\n\\2-grams:\n-0.2 <s> A\n-0.3 A B\n\\end\\\n");
  try {
    firth::fuzz::use(firth::load_lm(arpa_path, classes.write({reinterpret_cast<const char*>(data), size}),
                                    {.threads = 1}));
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}

// Compressed input: the first byte chooses the kind, its magic bytes are put in front.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/byte_source.hpp"
#include "text_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const std::string_view kMagic[] = {"", "\x1f\x8b", "\x28\xb5\x2f\xfd",
                                            std::string_view("\xfd"
                                                             "7zXZ\0",
                                                             6)};
  std::string file(kMagic[data[0] % 4]);
  file.append(reinterpret_cast<const char*>(data + 1), size - 1);
  const firth::text::InputFile input = firth::fuzz::input_of(std::move(file));
  constexpr std::size_t kMax = std::size_t{1} << 22;  // a small file may unpack to gigabytes
  std::vector<char> buffer(5000);
  try {
    firth::text::InputStream stream(input);
    std::size_t total = 0;
    while (total < kMax) {
      const std::size_t got = stream.read(buffer.data(), buffer.size());
      if (got > buffer.size()) std::abort();
      if (got == 0) break;
      total += got;
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}

// What from_bytes() reads: clusterings and vectors. The first byte chooses which, and whether checksums are repaired.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "firth/clustering.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "repair_checksums.hpp"

namespace {

void use_clustering(const std::string& bytes) {
  const firth::Clustering clustering = firth::Clustering::from_bytes(bytes);
  for (const firth::ClassId id : clustering.classes())
    if (id >= clustering.class_count()) std::abort();
  if (!(firth::Clustering::from_bytes(clustering.to_bytes()) == clustering)) std::abort();
}

void use_vectors(const std::string& bytes) {
  const firth::WordVectors vectors = firth::WordVectors::from_bytes(bytes);
  if (vectors.values.size() != vectors.vocabulary.size() * vectors.dimensions) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) firth::fuzz::repair_checksums(bytes);
  try {
    if ((data[0] & 2) != 0)
      use_vectors(bytes);
    else
      use_clustering(bytes);
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}

#include "counts/fingerprint_counts.hpp"

namespace firth::counts {

void add_vocabulary(base::Fingerprint& print, const Vocabulary& vocabulary) {
  print.add_all(vocabulary.counts()).add(vocabulary.bytes());
}

void add_pairs(base::Fingerprint& print, const PairCounts& pairs) {
  print.add_all(pairs.offsets()).add_all(pairs.rights()).add_all(pairs.counts());
}

}  // namespace firth::counts

// Text in, classes out, in four lines: the example of the README.
//
//   cluster TEXT CLASSES FOLDER
#include <cstdio>
#include <cstdlib>
#include <firth/firth.hpp>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: cluster TEXT CLASSES FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::vector<std::string> files = {argv[1]};
    const auto classes = static_cast<firth::ClassId>(std::strtoul(argv[2], nullptr, 10));
    const firth::Counts counts = firth::count_text(files, {.vocabulary = {.min_count = 2}}, {});
    const firth::ClusterResult result = firth::cluster_brown(counts, {.classes = classes}, {});
    firth::save_clustering(argv[3], result.clustering, firth::ClusterFormat::firth);
    std::printf("%u classes, AMI %.4f bits\n", result.clustering.class_count(), result.ami_bits);
  } catch (const firth::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

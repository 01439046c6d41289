# For Homebrew on Linux. `url` and `sha256` are those of the tarball of packaging/release.sh.
class Firth < Formula
  desc "Classes of words from the company they keep"
  homepage "https://example.org/firth"
  url "https://example.org/firth/firth-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "fmt"
  depends_on "icu4c"
  depends_on :linux
  depends_on "openblas"
  depends_on "tbb"
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_SHARED_LIBS=ON",
           "-DFIRTH_BUILD_TESTS=OFF", "-DFIRTH_LINK_OPENBLAS=ON", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"text.txt").write("the cat sees the dog\nthe dog sees the cat\n")
    system bin/"firth", "cluster", "text.txt", "-c", "2", "-o", "out"
    assert_path_exists testpath/"out/classes.tsv"
  end
end

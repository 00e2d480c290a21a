class Accrete < Formula
  desc "Neural networks grown by gradient boosting, with a dial"
  homepage "https://github.com/OWNER/accrete"
  url "https://github.com/OWNER/accrete/archive/refs/tags/v0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://github.com/OWNER/accrete.git", branch: "main"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "fmt"
  depends_on "highway"
  depends_on "sqlite"

  uses_from_macos "zlib"

  # The library that draws the charts of `accrete report`.
  resource "d3" do
    url "https://deb.debian.org/debian/pool/main/d/d3/d3_3.5.17.orig.tar.gz"
    sha256 "d1d66cc48f6d5a96151980b5080772834a485241ae95e2866f88f359c69b874b"
  end

  def install
    (buildpath/"d3").install resource("d3")
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DACCRETE_BUILD_TESTS=OFF", "-DACCRETE_ONNX=OFF",
           "-DACCRETE_REPORT=ON", "-DACCRETE_D3=#{buildpath}/d3/d3.min.js", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"accrete", "data", "make", "tic-tac-toe", "-o", "ttt.csv"
    system bin/"accrete", "train", "ttt.csv", "--target", "target", "--units", "8", "-o", "ttt.safetensors"
    assert_match "accuracy", shell_output("#{bin}/accrete evaluate ttt.safetensors ttt.csv")
  end
end

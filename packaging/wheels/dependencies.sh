#!/bin/sh
# Builds accrete's C++ dependencies as static libraries, for wheels: cibuildwheel runs it once per container.
# usage: dependencies.sh PREFIX
# The sources are those of Debian 12, with the checksums of its index.
set -eu

prefix=$1
archive=https://deb.debian.org/debian/pool/main
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# unpack PATH SHA256: download a file of the archive, check it and unpack it into $scratch/source.
unpack() {
  curl -fsSL --retry 3 -o "$scratch/file" "$archive/$1"
  if command -v sha256sum >/dev/null; then
    sum=$(sha256sum "$scratch/file")
  else
    sum=$(shasum -a 256 "$scratch/file")
  fi
  [ "${sum%% *}" = "$2" ] || {
    printf '%s\n' "dependencies: $1 has the checksum ${sum%% *}, expected $2" >&2
    exit 1
  }
  rm -rf "$scratch/source" "$scratch/build"
  mkdir "$scratch/source"
  tar -xf "$scratch/file" -C "$scratch/source" --strip-components 1
}

# install_library CMAKE_ARGUMENT...: build and install $scratch/source.
install_library() {
  cmake -S "$scratch/source" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF \
    -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -Wno-dev "$@" >/dev/null
  cmake --build "$scratch/build" --parallel "${ACCRETE_JOBS:-2}" >/dev/null
  cmake --install "$scratch/build" >/dev/null
}

unpack h/highway/highway_1.0.3.orig.tar.gz 566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e
install_library -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF

unpack f/fmtlib/fmtlib_9.1.0+ds1.orig.tar.gz 84ce1c2d0be3a9863935137969dcec6970125caac032f82474640bfc81463583
install_library -DFMT_TEST=OFF -DFMT_DOC=OFF

unpack n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
install_library -DJSON_BuildTests=OFF

unpack c/cli11/cli11_2.1.2+ds.orig.tar.xz 8143d20b688e98ccce8e24562d3b68e5f47c12e896c42c7ca8553dbde5bed55d
install_library -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF

unpack p/protobuf/protobuf_3.21.12.orig.tar.gz 930c2c3b5ecc6c9c12615cf5ad93f1cd6e12d0aba862b572e076259970ac3a53
install_library -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_WITH_ZLIB=OFF

# Of ONNX, accrete needs only the schema.
unpack o/onnx/onnx_1.12.0.orig.tar.gz 052ad3d5dad358a33606e0fc89483f8150bb0655c99b12a43aa58b5b7f0cc507
mkdir -p "$prefix/include/onnx"
cp "$scratch/source/onnx/onnx.proto" "$prefix/include/onnx/onnx.proto"

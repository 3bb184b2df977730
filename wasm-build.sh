#!/usr/bin/env bash
# Builds every wasm artefact into build/wasm. The only place that calls emcc (3.1.6 or newer): $EMCC, emcc on PATH, or
# the one in $EMSDK; with none, tools/setup.mjs installs it by apt or says what to do.
#   ./wasm-build.sh [contract]   the product [and tests/contract], when a source, a flag or the compiler changed
#   ./wasm-build.sh emcc <...>   only calls the compiler, for benchmarks and tests that link programs of their own
set -euo pipefail
emcc=${EMCC:-$(command -v emcc || echo "${EMSDK:+$EMSDK/upstream/emscripten/emcc}")}
[[ -n $emcc ]] || { node "$(dirname "$0")/tools/setup.mjs" emcc && emcc=$(command -v emcc); } || exit 3
[[ ! -d /usr/share/nodejs ]] || export NODE_PATH=/usr/share/nodejs # Debian's emcc finds acorn there, whatever the node
[[ ${1:-} != emcc ]] || exec "$emcc" "${@:2}"
cd "$(dirname "$0")" && out=build/wasm && mkdir -p $out
compile=(-std=c++20 -O2 -Icore/include -Icore/src
  -fno-exceptions -fno-rtti -fno-threadsafe-statics # no C++ runtime in the heap
  -mbulk-memory                                     # memcpy and memset are instructions, not libc
  -ffile-prefix-map="$PWD"=.                        # the same bytes wherever the checkout lies
  -Wall -Wextra -Werror -Wno-unused-{parameter,variable,but-set-variable}) # a name may serve a probe alone
link=(-O2 -sSTANDALONE_WASM --no-entry -sALLOW_MEMORY_GROWTH=1  # a library: no main, no JavaScript glue
  -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0) # heapglass.drain; a test proves it is the only one
version=$("$emcc" --version | sed -n 1p)
[[ ! $version =~ \ 3\.1\.([0-9]|1[0-9]|2[0-6])[^0-9] ]] || link+=(-sTOTAL_STACK=65536) # newer: 64 KiB anyway
# changed <name> <file or folder ...>: sets `stamp`; false when $out/<name>.stamp says the same.
changed() {
  stamp=$({ echo "$version"; find "${@:2}" wasm-build.sh -type f | LC_ALL=C sort | xargs cat; } |
    node -e 'process.stdin.pipe(require("crypto").createHash("sha256").setEncoding("hex")).pipe(process.stdout)')
  [[ ! -s $out/$1.stamp || $(cat $out/$1.stamp) != "$stamp" ]] || { echo "wasm, $1: unchanged"; return 1; }
}
sources() { find "$1" -name '*.cpp' | LC_ALL=C sort | grep -Ev "$2"; }
# object <name> <grade> <source ...>: one object from one file that includes the sources. Functions are inlined across
# files without -flto (an allocator must not be bitcode). Grade: 0 neither probes nor checks, 1 probes, 2 both.
object() {
  printf '#include "../../%s"\n' "${@:3}" >$out/$1.cpp
  "$emcc" "${compile[@]}" -Iprograms -DHG_TRACE=$(($2 > 0)) -DHG_CHECKED=$(($2 > 1)) -c $out/$1.cpp -o $out/$1.o
}
# module <name> <variant> <header> <object ...>: 1 MiB at first, of which the ring takes a quarter; growth is the heap's to show
module() {
  node tools/gen_exports.mjs $2 $3 >$out/$1.json
  "$emcc" "${link[@]}" -sINITIAL_MEMORY=1048576 -sEXPORTED_FUNCTIONS=@$out/$1.json "${@:4}" -o $out/$1.wasm
}

if changed product core programs tools/gen_exports.mjs tools/headers; then
  grade=0
  for variant in release trace checked; do
    object heapglass-$variant $grade $(sources core/src abi/wasm_)
    object wasm_abi-$variant $((grade++)) core/src/abi/wasm_{abi,drain}.cpp
    "${emcc%emcc}emar" rcs $out/libheapglass-$variant.a $out/heapglass-$variant.o
    module heapglass-$variant $variant '' $out/{heapglass,wasm_abi}-$variant.o
  done
  object word_index 1 $(sources programs/word_index '^$')
  module word_index trace programs/word_index/word_index.h $out/{word_index,heapglass-trace,wasm_abi-trace}.o
  echo "$stamp" >$out/product.stamp
fi
if [[ ${1:-} == contract ]] && changed contract core tests/contract; then
  "${emcc%emcc}em++" "${compile[@]}" -r $(sources tests/contract '_test|native_main|trace_writer') -o $out/contract.o
  for variant in release trace checked; do # with libc++ for the twin, and room for its static region
    "${emcc%emcc}em++" "${link[@]}" -sINITIAL_MEMORY=67108864 $out/{contract,heapglass-$variant,wasm_abi-$variant}.o -o $out/contract-$variant.wasm
  done
  echo "$stamp" >$out/contract.stamp
fi
wc -c $out/*.a $out/*.wasm

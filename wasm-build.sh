#!/usr/bin/env bash
# Builds every wasm artefact into build/wasm. The only place that calls emcc (3.1.6 or newer): $EMCC, emcc on PATH, or
# the one in $EMSDK; with none, tools/setup.mjs installs it by apt or says what to do.
#   ./wasm-build.sh [product|contract]   the product, the experiments and watched programs (not with product), and with
#                                        contract what only tests need; each when a source, a flag or the compiler changed. $HG_OUT: another folder
#                                        than build/wasm
#   ./wasm-build.sh emcc <...>           only calls the compiler, for benchmarks and tests that link programs of their own
set -euo pipefail
emcc=${EMCC:-$(command -v emcc || echo "${EMSDK:+$EMSDK/upstream/emscripten/emcc}")}
[[ -n $emcc ]] || { node "$(dirname "$0")/tools/setup.mjs" emcc && emcc=$(command -v emcc); } || exit 3
[[ ! -d /usr/share/nodejs ]] || export NODE_PATH=/usr/share/nodejs # Debian's emcc finds acorn there, whatever the node
PATH=$(sed -E 's,[^:]*node_modules/\.bin/?(:|$),,g; s,:$,,' <<<"$PATH") # npm and npx put the package binaryen's wasm-opt before Emscripten's own
[[ ${1:-} != emcc ]] || exec "$emcc" "${@:2}"
cd "$(dirname "$0")" && out=${HG_OUT:-build/wasm} && mkdir -p $out
em=${emcc%emcc}em # em++, emar
boost=$(ls -d build/boost/*/include 2>/dev/null | sed -n 1p) || true # tools/setup.mjs boost; without: no experiments AE1-AE5
compile=(-std=c++20 -O2 -iquote . -Icore/include -Icore/src -Iprograms
  -fno-exceptions -fno-rtti -fno-threadsafe-statics # no C++ runtime in the heap
  -mbulk-memory                                     # memcpy and memset are instructions, not libc
  -ffile-prefix-map="$PWD"=.                        # the same bytes wherever the checkout lies
  -Wall -Wextra ${CI:+-Werror} -Wno-unused-{parameter,variable,but-set-variable,but-set-parameter}) # a name may serve a probe alone
link=(-O2 -sSTANDALONE_WASM --no-entry -sALLOW_MEMORY_GROWTH=1  # a library: no main, no JavaScript glue
  -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0) # heapglass.drain; a test proves it is the only one
shared=(-sIMPORTED_MEMORY=1 -sMAXIMUM_MEMORY=1073741824 # one memory, many instances: web/src/experiments/instance.ts makes both
  -Wl,--shared-memory,--no-check-features              # libc without threads: only the first instance calls its malloc
  -Wl,--export=__wasm_init_tls,--export=__tls_size,--export=__tls_align,--export=__stack_pointer)
version=$("$emcc" --version | sed -n 1p)
[[ ! $version =~ \ 3\.1\.([0-9]|1[0-9]|2[0-6])[^0-9] ]] || link+=(-sTOTAL_STACK=65536) # newer: 64 KiB anyway
# changed <name> <file or folder ...>: sets `stamp`; false when $out/<name>.stamp says the same.
changed() {
  stamp=$({ echo "$version $boost"; find "${@:2}" wasm-build.sh tools/{gen_exports,finish_placed}.mjs tools/headers -type f | LC_ALL=C sort |
    xargs cat; } | node -e 'process.stdin.pipe(require("crypto").createHash("sha256").setEncoding("hex")).pipe(process.stdout)')
  [[ ! -s $out/$1.stamp || $(cat $out/$1.stamp) != "$stamp" ]] || { echo "wasm, $1: unchanged"; return 1; }
}
sources() { find "$1" -name '*.cpp' | LC_ALL=C sort | grep -Ev "$2"; }
# object <name> <variant> <source ...>: one object from one file that includes the sources. Functions are inlined across
# files without -flto (an allocator must not be bitcode).
release='-DHG_TRACE=0 -DHG_CHECKED=0' trace='-DHG_TRACE=1 -DHG_CHECKED=0' checked='-DHG_TRACE=1 -DHG_CHECKED=1'
threads="$release -DHG_THREADS=1 -pthread" # a variant each
malloc_part='/(malloc|slab|diagnose)/|abi/(malloc|out_of_memory)_'
# In memory that the loader gives, their data where the loader says: position independent.
place='-DHG_PLACED=1 -fPIC -fvisibility=hidden' placed="$release $place" placed_trace="$trace $place"
placed_checked="$checked $place" placed_shared="$threads $place"
placing=(--experimental-pic -pie --import-memory --entry=_initialize --strip-debug) # flags of wasm-ld: docs/decisions/0019
placing_shared=(--shared-memory --max-memory=1073741824 --no-check-features)
# The malloc of a program: libc's names are aliases in the same object, and calloc's memset stays what it is.
# At -Os and -Oz emcc lets clang inline nothing (-fno-inline-functions) and leaves that to the link, which does it at -O3 alone.
# Inlined here, the archive is smaller, faster, and as fast at any level of the link: docs/decisions/0024
inline=-finline-functions with_threads='-DHG_THREADS=1 -pthread'
malloc="-DHG_MALLOC=1 -fno-builtin" small="-Oz $inline -mllvm -inline-threshold=20 -DHG_MALLOC=2 -fno-builtin" in_space="$release $malloc -Os $inline"
malloc_fast="$in_space -mllvm -inline-threshold=150" malloc_small="$release $small"
malloc_hardened="$in_space -DHG_HARDENED=1"
malloc_checked="$checked $malloc" malloc_trace="$trace $malloc"
malloc_fast_threads="$in_space -mllvm -inline-threshold=60 $with_threads" malloc_checked_threads="$malloc_checked $with_threads"
malloc_hardened_threads="$malloc_hardened $with_threads"
malloc_trace_threads="$malloc_trace $with_threads" malloc_freestanding="$malloc_fast -DHG_FREESTANDING=1"
object() {
  printf '#include "%s"\n' "${@:3}" >$out/$1.cpp
  "$emcc" "${compile[@]}" ${!2} -c $out/$1.cpp -o $out/$1.o
}
# module <name> <variant> <header> <object ...>: 1 MiB at first, of which the ring takes a quarter; growth is the heap's to show
module() {
  node tools/gen_exports.mjs $2 $3 >$out/$1.json
  "${em}++" "${link[@]}" -sINITIAL_MEMORY=1048576 -sEXPORTED_FUNCTIONS=@$out/$1.json "${@:4}" -o $out/$1.wasm
}
# tool_of_emcc <name>: the program that emcc itself links with: the first word, quoted or not, of a command that its -v shows
tool_of_emcc() {
  mkdir -p $out/objects && : >$out/objects/nothing.c
  "$emcc" -v "${link[@]}" $out/objects/nothing.c -o $out/objects/nothing.wasm 2>&1 |
    grep -E "^ *(\"[^\"]*|'[^']*|[^ ]*)$1" | xargs printf '%s\n' | sed -n 1p
}
# placed_module <name> <variant> <flag ...>
placed_module() {
  object heapglass-$1 $2 $(sources core/src 'abi/(wasm|libc)_')
  object wasm_abi-$1 $2 core/src/abi/wasm_{abi,drain,place}.cpp
  node tools/gen_exports.mjs $1 | tr -d '[]"' | tr , '\n' | sed 's/^_/--export=/' >$out/heapglass-$1.exports
  "$wasm_ld" "${placing[@]}" "${@:3}" @$out/heapglass-$1.exports $out/{heapglass,wasm_abi}-$1.o -o $out/heapglass-$1.wasm
  "$wasm_opt" -O2 --low-memory-unused --zero-filled-memory --strip-producers --strip-target-features \
    $out/heapglass-$1.wasm -o $out/heapglass-$1.wasm # as emcc does
  node tools/finish_placed.mjs $out/heapglass-$1.wasm
}
# experiments <name> <variant> <sources> <flag ...>: the programs, an object each (two at a time), as one module
experiments() {
  local at=$out/objects/$1
  rm -rf $at && mkdir -p $(sed "s,^,$at/,; s,/[^/]*$,," <<<"$3")
  xargs -P2 -I{} "$emcc" "${compile[@]}" ${!2} -DNDEBUG ${boost:+-isystem $boost} -c {} -o $at/{}.o <<<"$3"
  module $1 $2 programs/experiments/experiment.h $(find $at -name '*.o' | LC_ALL=C sort) $out/{heapglass,wasm_abi}-$2.o "${@:4}"
}

if changed product core programs/word_index; then
  for one in ${HG_ONLY:-release trace checked threads}; do # only these for tools/check_probes.mjs, in a copy
    object heapglass-$one $one $(sources core/src 'abi/(wasm|libc)_')
    object wasm_abi-$one $one core/src/abi/wasm_{abi,drain}.cpp
    parts=$out/heapglass-$one.o
    if [[ $one == release ]]; then # a program that uses the heap alone links no malloc: nothing of the heap's member needs the other one
      object heap_part $one $(sources core/src "abi/(wasm|libc)_|$malloc_part")
      object malloc_part $one $(sources core/src 'abi/(wasm|libc)_' | grep -E "$malloc_part")
      parts="$out/heap_part.o $out/malloc_part.o"
    fi
    rm -f $out/libheapglass-$one.a && "${em}ar" rcs $out/libheapglass-$one.a $parts
    # Without libc's malloc nobody else has the break. Newer libraries bring it in unasked, and its sbrk: memory then never shrinks
    [[ $one == threads ]] || module heapglass-$one $one '' $out/{heapglass,wasm_abi}-$one.o -sMALLOC=none
  done
  [[ -z ${HG_ONLY:-} ]] || exit 0
  wasm_ld=$(tool_of_emcc wasm-ld)
  wasm_opt=$(tool_of_emcc wasm-opt)
  for one in placed placed-trace placed-checked; do placed_module $one ${one/-/_}; done
  placed_module shared placed_shared "${placing_shared[@]}"
  object word_index trace $(sources programs/word_index '^$')
  module word_index trace programs/word_index/word_index.h $out/{word_index,heapglass-trace,wasm_abi-trace}.o
  echo "$stamp" >$out/product.stamp
fi
if changed malloc core; then
  object libc_sbrk release core/src/abi/libc_sbrk.cpp
  object libc_sbrk-threads threads core/src/abi/libc_sbrk.cpp
  object recorder trace core/src/abi/wasm_recorder.cpp
  object recorder-threads malloc_trace_threads core/src/abi/wasm_recorder.cpp
  object wasi_entropy release core/src/abi/wasm_entropy.cpp
  "${em}ar" rcs $out/libheapglass-wasi-entropy.a $out/wasi_entropy.o # for malloc-hardened where no JavaScript is
  object discard release core/src/abi/wasm_discard.cpp
  "${em}ar" rcs $out/libheapglass-discard.a $out/discard.o # for hosts that take pages back
  for one in malloc-{fast,small,hardened,checked,trace}{,-threads}; do
    variant=${one//-/_}
    [[ -n ${!variant:-} ]] || continue # there is no small one with threads
    object heapglass-$one $variant $(sources core/src 'abi/(wasm_|libc_sbrk)')
    [[ $one == *-threads ]] && of=-threads || of=
    [[ $one == *-checked* || $one == *-trace* ]] && recorder=$out/recorder$of.o || recorder= # linked by -u hg_recorder_drain only
    member=$out/objects/heapglass-$one && mkdir -p $out/objects # linked wrongly, wasm-ld names the member: so it says what to do
    case $one in
      *-threads) member+=_without_-pthread_leave_out_--threads ;;
      *-small) member+=_is_not_made_for_-pthread ;;
      *) member+=_with_-pthread_use_--threads ;;
    esac
    cp $out/heapglass-$one.o $member.o && rm -f $out/libheapglass-$one.a
    "${em}ar" rcs $out/libheapglass-$one.a $member.o $out/libc_sbrk$of.o $recorder
  done
  # For clang, wasi-libc, Rust: of the names that stand in for libc only those that need nothing of Emscripten.
  object heapglass-malloc-freestanding malloc_freestanding $(sources core/src 'abi/(wasm_|libc_(sbrk|looks|emmalloc))')
  rm -f $out/libheapglass-malloc-freestanding.a
  "${em}ar" rcs $out/libheapglass-malloc-freestanding.a $out/heapglass-malloc-freestanding.o
  echo "$stamp" >$out/malloc.stamp
fi
if changed demangle tools/demangle; then # names of C++ for the command line: libc++abi's own
  "${em}++" "${link[@]}" -Oz -fno-exceptions -fno-rtti -sEXPORTED_FUNCTIONS=_hg_demangle,_malloc,_free tools/demangle/demangle.cpp -o $out/demangle.wasm
  echo "$stamp" >$out/demangle.stamp
fi
if [[ ${1:-} != product ]] && changed experiments core programs/experiments; then # beside libc's malloc, the peer; the page source then uses sbrk
  [[ -n $boost ]] && without='^$' || without='/ae[0-9_]'
  experiments experiments release "$(sources programs/experiments "/(ce1|de1)[._]|$without")"
  experiments experiments-threads threads "$(sources programs/experiments '/(ae|be|ee)[0-9_]')" "${shared[@]}"
  experiments experiments-trace trace "$(sources programs/experiments "$without")"
  echo "$stamp" >$out/experiments.stamp
fi
if [[ ${1:-} == contract ]] && changed contract core tests/contract programs/experiments tests/experiments/fixture; then
  "${em}++" "${compile[@]}" -r $(sources tests/contract '_test|native_main|trace_writer') -o $out/contract.o
  for one in release trace checked; do # with libc++ for the twin, and room for its static region
    "${em}++" "${link[@]}" -sINITIAL_MEMORY=67108864 $out/{contract,heapglass-$one,wasm_abi-$one}.o -o $out/contract-$one.wasm
  done
  experiments experiments-fixture threads "$(find programs/experiments/{experiment,programs}.cpp tests/experiments/fixture -name '*.cpp')" "${shared[@]}"
  echo "$stamp" >$out/contract.stamp
fi
[[ ${1:-} == product ]] || node tools/build_programs.mjs # SQLite, Lua, QuickJS for the glass to watch: their sources are packages
[[ ${1:-} == product ]] || node tools/build_replay.mjs # malloc and its peers, for heapglass replay
wc -c $out/*.a $out/*.wasm

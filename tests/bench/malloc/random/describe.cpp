// See describe.hpp.
#include "describe.hpp"

namespace {

template <class Choice, std::uint32_t count>
const char *name_of(const char *const (&names)[count], Choice choice) {
  return names[static_cast<unsigned>(choice)];
}

void describe_few_sizes(Text &text, const SizeLaw &law) {
  for (std::uint32_t i = 0; i < law.size_count; ++i) {
    text << (i == 0 ? "" : ", ") << law.sizes[i] << " (weight " << law.weights[i] << ")";
  }
}

void describe_law(Text &text, const SizeLaw &law) {
  text << "  sizes: " << name_of(kLawNames, law.law) << "; ";
  switch (law.law) {
    case Law::one_size: text << law.a; break;
    case Law::exponential: text << "around " << law.a; break;
    case Law::power_law:
      text << law.a << " to " << law.b << ", exponent " << law.exponent << " hundredths";
      break;
    case Law::few_sizes: describe_few_sizes(text, law); break;
    case Law::mostly_small: text << "1 to " << law.a << ", one in " << law.rare << " up to " << law.b; break;
    case Law::power_of_two:
      text << (1u << law.a) << " to " << (1u << law.b) << ", each plus a header of " << law.header;
      break;
    case Law::strings: text << "lengths around " << law.a; break;
    default: text << law.a << " to " << law.b; break;
  }
  text << "; mean " << law.mean << " bytes";
  if (law.run > 1) text << "; " << law.run << " of the same size in a row";
  text << "\n";
}

void describe_order(Text &text, const Phase &phase) {
  text << "  order: " << name_of(kOrderNames, phase.order);
  switch (phase.order) {
    case Order::newest_first: text << "; down to " << phase.percent << " % of the target"; break;
    case Order::nearly_oldest:
    case Order::all_nearly: text << "; within " << phase.reach; break;
    case Order::by_size: text << "; the " << (phase.other_way ? "largest" : "smallest") << " half each time"; break;
    case Order::generations:
      text << "; of every " << phase.reach << " young ones " << phase.percent << " % grow old; the old go "
           << (phase.other_way ? "half at once" : "one by one");
      break;
    case Order::bursts:
      text << "; of " << phase.reach << " blocks, freed " << (phase.other_way ? "reversed" : "as taken") << ", above "
           << phase.percent << " % of the target";
      break;
    case Order::batches:
      text << "; " << phase.percent << " %, " << (phase.other_way ? "the oldest" : "at random");
      break;
    default: break;
  }
  text << "\n";
}

void describe_calls(Text &text, const Phase &phase) {
  text << "  touch: " << name_of(kTouchNames, phase.touch) << "\n";
  if (phase.calloc_percent > 0) text << "  calls: calloc; " << phase.calloc_percent << " %\n";
  if (phase.aligned_percent > 0) {
    text << "  calls: aligned; " << phase.aligned_percent << " %, to 16 up to " << phase.most_aligned << "\n";
  }
  if (phase.realloc_percent > 0) {
    text << "  realloc: " << name_of(kResizeNames, phase.resize) << "; before " << phase.realloc_percent
         << " % of the blocks\n";
  }
}

void describe_side(Text &text, const Side &side) {
  text << "  beside: " << name_of(kKindNames, side.kind) << "; " << side.time_percent << " % of the time, "
       << side.at_once << " at once";
  if (side.kind == Kind::pairs) {
    text << "\n";
    return;
  }
  const bool grows = side.kind == Kind::vectors || side.kind == Kind::strings;
  text << ", up to " << side.most << (grows ? " bytes" : " nodes");
  if (side.kind == Kind::tables || side.kind == Kind::lists || side.kind == Kind::trees) {
    text << " of " << side.node_size << " bytes";
  }
  if (!grows && side.payload) text << ", with payloads";
  if (side.kind == Kind::lists) text << (side.from_back ? ", freed as taken" : ", freed reversed");
  if (side.kind == Kind::trees) text << (side.from_back ? ", children freed first" : ", parents freed first");
  text << "\n";
  if (side.kind == Kind::vectors) text << "    growth: " << name_of(kGrowthNames, side.growth) << "\n";
  if (side.kind == Kind::strings) text << "    growth: " << (side.doubles ? "capacity" : "length") << "\n";
  if (grows) text << "    by: " << (side.copies ? "copy" : "realloc") << "\n";
  if (grows && side.keeps) text << "    kept: 1 in 4\n";
}

template <std::uint32_t count>
void list_all(Text &text, const char *what, const char *const (&names)[count]) {
  for (const char *name : names) text << what << ": " << name << "\n";
}

}  // namespace

void describe_program(Text &text, const Program &program) {
  text << "program " << program.seed << ": " << program.phase_count << " phases, rounds: " << program.rounds
       << "; what was kept is freed " << (program.kept_as_taken ? "as taken" : "at random") << " at the end\n";
  for (std::uint32_t i = 0; i < program.phase_count; ++i) {
    const Phase &phase = program.phases[i];
    text << "phase " << i + 1 << ", repeats: " << phase.repeats << "; " << phase.operations << " operations, up to "
         << phase.target_bytes << " bytes live\n";
    describe_law(text, phase.sizes);
    describe_order(text, phase);
    text << "  keep: " << name_of(kKeepNames, phase.keep);
    if (phase.release_percent > 0) text << "; " << phase.release_percent << " % of what was kept before go first";
    text << "\n";
    describe_calls(text, phase);
    for (std::uint32_t side = 0; side < phase.side_count; ++side) describe_side(text, phase.sides[side]);
  }
}

void list_productions(Text &text) {
  list_all(text, "sizes", kLawNames);
  list_all(text, "order", kOrderNames);
  list_all(text, "keep", kKeepNames);
  list_all(text, "realloc", kResizeNames);
  list_all(text, "touch", kTouchNames);
  list_all(text, "beside", kKindNames);
  list_all(text, "growth", kGrowthNames);
  text << "growth: capacity\ngrowth: length\nby: copy\nby: realloc\nkept: 1 in 4\ncalls: calloc\ncalls: aligned\n";
  for (std::uint32_t i = 1; i <= Program::kMostPhases; ++i) text << i << " phases\n";
  for (std::uint32_t i = 1; i <= 3; ++i) text << "rounds: " << i << "\n";
  for (std::uint32_t i = 1; i <= 4; ++i) text << "repeats: " << i << "\n";
}

// Draws a program. The length of each phase follows from a simple model of what an operation costs, so that programs of
// large blocks and of small ones take about as long: 30 to 150 ms with dlmalloc.
#include "grammar.hpp"

#include "limits.hpp"

namespace {

constexpr double kCallNs = 80, kByteNs = 0.1, kNodeNs = 80, kAlignedNs = 300, kMaxCopyNs = 20000;
constexpr std::uint32_t kMostSideBytes = 8 << 20;

/// Bytes written of a block of the mean size.
double touched_bytes(const Phase &phase) {
  const double mean = phase.sizes.mean;
  const double cleared = mean * phase.calloc_percent / 100;
  const double touched = phase.touch == Touch::all ? mean : phase.touch == Touch::first_64 ? 64 : 8;
  return cleared > touched ? cleared : touched;
}

double block_ns(const Phase &phase) {
  const double reallocs = phase.realloc_percent / 100.0;
  const double copied = phase.sizes.mean * 2 * reallocs;
  const double calls = kCallNs * (1 + 2 * reallocs) + kAlignedNs * phase.aligned_percent / 100;
  return calls + (touched_bytes(phase) + copied) * kByteNs;
}

/// ns of one step of a structure.
double side_ns(const Side &side, const Phase &phase) {
  const double payload = side.payload ? block_ns(phase) : 0;
  switch (side.kind) {
    case Kind::vectors: {
      const double copied = side.growth == Growth::plus_64 ? side.most * 0.5 : side.most * 0.2;
      return kCallNs + (copied * kByteNs > kMaxCopyNs ? kMaxCopyNs : copied * kByteNs);
    }
    case Kind::strings: return kCallNs + side.most * 0.5 * kByteNs;
    case Kind::pairs: return block_ns(phase) * side.at_once;
    case Kind::queues: return kNodeNs + block_ns(phase);
    default: return kNodeNs + kCallNs + payload;
  }
}

/// What one of a side's items or nodes takes on average.
std::uint32_t side_bytes(const Side &side, const Phase &phase) {
  if (side.kind == Kind::vectors || side.kind == Kind::strings) return 1;
  const std::uint32_t payload = side.payload ? phase.sizes.mean : 0;
  return payload + (side.kind == Kind::queues ? phase.sizes.mean : side.node_size);
}

Side draw_side(Draw &draw, const Phase &phase) {
  Side side{};
  side.kind = draw.any<Kind>();
  side.growth = draw.any<Growth>();
  side.copies = draw.percent(40);
  side.doubles = draw.percent(50);
  side.keeps = draw.percent(30);
  side.payload = draw.percent(40);
  side.from_back = draw.percent(50);
  side.node_size = draw.log_uniform(kLeastNode, 128);
  side.time_percent = draw.between(5, 50);
  switch (side.kind) {
    case Kind::vectors:
      side.at_once = draw.log_uniform(1, 32);
      side.most = side.growth == Growth::plus_64 ? draw.log_uniform(1024, 32768) : draw.log_uniform(1024, 1 << 20);
      break;
    case Kind::strings:
      side.at_once = draw.log_uniform(1, kMostItems);
      side.most = draw.log_uniform(32, 8192);
      break;
    case Kind::tables:
      side.at_once = draw.between(1, 4);
      side.most = draw.log_uniform(256, 32768);
      break;
    case Kind::pairs: side.at_once = draw.between(1, 4); break;
    default:
      side.at_once = draw.log_uniform(1, 16);
      side.most = draw.log_uniform(64, 16384);
      break;
  }
  const std::uint64_t most = kMostSideBytes / side_bytes(side, phase) / side.at_once;
  if (side.most > most) side.most = most < 16 ? 16 : static_cast<std::uint32_t>(most);
  return side;
}

void draw_calls(Draw &draw, Phase &phase) {
  phase.calloc_percent = draw.percent(30) ? draw.between(1, 100) : 0;
  phase.aligned_percent = draw.percent(20) ? draw.between(1, 20) : 0;
  phase.most_aligned = 16u << draw.below(9);
  phase.realloc_percent = draw.percent(40) ? draw.between(1, 40) : 0;
  phase.resize = draw.any<Resize>();
  phase.touch = draw.any<Touch>();
}

void draw_order(Draw &draw, Phase &phase) {
  phase.order = draw.any<Order>();
  phase.reach = draw.log_uniform(16, 4096);
  phase.percent = phase.order == Order::generations ? draw.between(1, 20) : draw.between(5, 90);
  phase.other_way = draw.percent(50);
  phase.keep = draw.percent(40) ? Keep::none : draw.any<Keep>();
  phase.release_percent = draw.percent(50) ? 0 : draw.between(10, 100);
}

/// Turns shares of time into shares of operations, and sets how many operations there are.
void set_lengths(Phase &phase, double ns, double wanted_bytes) {
  std::uint32_t sides_percent = 0;
  for (std::uint32_t i = 0; i < phase.side_count; ++i) sides_percent += phase.sides[i].time_percent;
  const double own_percent = sides_percent >= 95 ? 5 : 100 - sides_percent;
  double rates[Phase::kMostSides], sum = own_percent / block_ns(phase);
  for (std::uint32_t i = 0; i < phase.side_count; ++i) {
    rates[i] = phase.sides[i].time_percent / side_ns(phase.sides[i], phase);
    sum += rates[i];
  }
  for (std::uint32_t i = 0; i < phase.side_count; ++i) {
    phase.sides[i].share = static_cast<std::uint32_t>(65536 * rates[i] / sum) + 1;
  }
  const double operations = ns * sum / (own_percent + sides_percent);
  const double takes = operations * own_percent / block_ns(phase) / sum;
  double blocks = wanted_bytes / phase.sizes.mean;
  if (blocks > takes * 0.5) blocks = takes * 0.5;  // so the target is reached
  if (blocks > kMostBlocks * 0.9) blocks = kMostBlocks * 0.9;
  phase.operations = static_cast<std::uint32_t>(operations) + 1;
  phase.target_blocks = static_cast<std::uint32_t>(blocks * 1.5) + 2;
  if (phase.target_blocks > kMostBlocks - 2) phase.target_blocks = kMostBlocks - 2;
  phase.target_bytes = static_cast<std::uint32_t>(blocks * phase.sizes.mean) + 1;
}

}  // namespace

void draw_program(Program &program, std::uint32_t seed, const Part &share) {
  Draw draw(seed, share.stream);
  program.seed = seed;
  program.most_kept_bytes = 0;
  program.phase_count = draw.between(1, Program::kMostPhases);
  program.rounds = draw.percent(25) ? draw.between(2, 3) : 1;
  program.kept_as_taken = draw.percent(50);
  const double whole_ns = draw.log_uniform(35, 90) * 1e6 * share.time_percent / 100;
  std::uint32_t parts = 0, part[Program::kMostPhases], wanted_bytes[Program::kMostPhases];
  for (std::uint32_t i = 0; i < program.phase_count; ++i) {
    Phase &phase = program.phases[i];
    phase = {};
    phase.sizes = draw_size_law(draw);
    phase.repeats = draw.percent(30) ? draw.between(2, 4) : 1;
    wanted_bytes[i] = draw.log_uniform(1 << 20, 32 << 20);
    draw_calls(draw, phase);
    draw_order(draw, phase);
    phase.side_count = draw.below(Phase::kMostSides + 1);
    for (std::uint32_t side = 0; side < phase.side_count; ++side) phase.sides[side] = draw_side(draw, phase);
    parts += part[i] = draw.between(1, 4);
  }
  for (std::uint32_t i = 0; i < program.phase_count; ++i) {
    const double ns = whole_ns * part[i] / parts / program.rounds / program.phases[i].repeats;
    set_lengths(program.phases[i], ns, wanted_bytes[i] * (share.bytes_percent / 100.0));
    const std::uint32_t half = program.phases[i].target_bytes / 2;
    if (half > program.most_kept_bytes) program.most_kept_bytes = half;
  }
}

// Draws a law's parameters, then its table. See size_law.hpp.
#include "size_law.hpp"

#include <cmath>

namespace {

constexpr std::uint32_t kMaxSize = 1 << 20;

void draw_few_sizes(Draw &draw, SizeLaw &law) {
  law.size_count = draw.between(2, SizeLaw::kMostSizes);
  for (std::uint32_t i = 0; i < law.size_count; ++i) {
    law.sizes[i] = (draw.log_uniform(8, draw.percent(10) ? 8192 : 512) + 3) & ~3u;
    law.weights[i] = draw.log_uniform(1, 32);
  }
}

void draw_parameters(Draw &draw, SizeLaw &law) {
  switch (law.law) {
    case Law::one_size: law.a = law.b = draw.log_uniform(8, draw.percent(20) ? 65536 : 2048); break;
    case Law::uniform:
      law.a = draw.log_uniform(1, 512);
      law.b = law.a + draw.log_uniform(16, draw.percent(20) ? 65536 : 4096);
      break;
    case Law::exponential: law.a = draw.log_uniform(16, 2048); break;
    case Law::power_law:
      law.a = draw.between(8, 48);
      law.b = draw.log_uniform(4096, draw.percent(10) ? kMaxSize : 100000);
      law.exponent = draw.between(70, 250);
      break;
    case Law::few_sizes: draw_few_sizes(draw, law); break;
    case Law::mostly_small:
      law.a = draw.log_uniform(32, 512);
      law.b = draw.log_uniform(4096, 512 << 10);
      law.rare = draw.log_uniform(20, 1000);
      break;
    case Law::log_uniform:
      law.a = 16;
      law.b = draw.percent(20) ? kMaxSize : 100000;
      break;
    case Law::power_of_two:
      law.a = draw.between(3, 6);
      law.b = law.a + draw.between(1, draw.percent(20) ? 12 : 7);
      law.header = draw.below(5) * 4;
      break;
    case Law::strings: law.a = draw.log_uniform(6, 80); break;
    case Law::count: break;
  }
}

std::uint32_t one_of_few(Draw &draw, const SizeLaw &law) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < law.size_count; ++i) sum += law.weights[i];
  std::uint32_t at = draw.below(sum), i = 0;
  while (at >= law.weights[i]) at -= law.weights[i++];
  return law.sizes[i];
}

double sample(Draw &draw, const SizeLaw &law) {
  switch (law.law) {
    case Law::one_size: return law.a;
    case Law::uniform: return draw.between(law.a, law.b);
    case Law::exponential: return 1 + draw.exponential(law.a);
    case Law::power_law: {
      const double size = law.a * std::pow(draw.unit(), -100.0 / law.exponent);
      return size > law.b ? law.b : size;
    }
    case Law::few_sizes: return one_of_few(draw, law);
    case Law::mostly_small:
      return draw.below(law.rare) == 0 ? draw.log_uniform(law.a, law.b) : draw.between(1, law.a);
    case Law::log_uniform: return draw.log_uniform(law.a, law.b);
    case Law::power_of_two: return (1u << draw.between(law.a, law.b)) + law.header;
    case Law::strings: return 2 + draw.exponential(law.a) * (draw.percent(5) ? 8 : 1);
    case Law::count: break;
  }
  return 0;
}

}  // namespace

SizeLaw draw_size_law(Draw &draw) {
  SizeLaw law{};
  law.law = draw.any<Law>();
  law.run = draw.percent(25) ? draw.log_uniform(2, 64) : 1;
  draw_parameters(draw, law);
  double sum = 0;
  for (std::uint32_t &size : law.table) {
    const double drawn = sample(draw, law);
    size = drawn < 1 ? 1 : drawn > kMaxSize ? kMaxSize : static_cast<std::uint32_t>(drawn);
    sum += size;
  }
  law.mean = static_cast<std::uint32_t>(sum / SizeLaw::kTable) + 1;
  return law;
}

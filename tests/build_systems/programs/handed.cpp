// Threads that hand each other what they allocate: who takes it frees it.

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

class Belt {
 public:
  void put(std::unique_ptr<std::string> thing) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      things_.push_back(std::move(thing));
    }
    some_.notify_one();
  }
  std::unique_ptr<std::string> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    some_.wait(lock, [this] { return !things_.empty(); });
    auto thing = std::move(things_.front());
    things_.pop_front();
    return thing;
  }

 private:
  std::mutex mutex_;
  std::condition_variable some_;
  std::deque<std::unique_ptr<std::string>> things_;
};

constexpr int kMakers = 2, kThings = 1500;

}  // namespace

int main() {
  Belt belt;
  std::atomic<size_t> letters{0};
  std::vector<std::thread> threads;
  for (int maker = 0; maker < kMakers; ++maker) {
    threads.emplace_back([&belt] {
      for (int nth = 0; nth < kThings; ++nth) belt.put(std::make_unique<std::string>(20 + nth % 300, 'x'));
    });
    threads.emplace_back([&belt, &letters] {
      for (int nth = 0; nth < kThings; ++nth) letters += belt.take()->size();
    });
  }
  for (auto& thread : threads) thread.join();
  std::printf("handed %zu\n", letters.load());
}

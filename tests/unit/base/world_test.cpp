#include "firth/world.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <span>
#include <stdexcept>

#include "base/message.hpp"
#include "base/ranks.hpp"
#include "base/repeated_gather.hpp"
#include "base/rng.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

constexpr unsigned kSizes[] = {1, 2, 3, 5, 8};

std::vector<std::byte> message(unsigned from, unsigned to) {
  return std::vector<std::byte>((from * 7 + to * 3) % 5, std::byte(10 * from + to));
}

TEST(ThreadWorld, GathersPartsOfAnySize) {
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      ASSERT_EQ(world.size(), size);
      std::vector<std::size_t> begins = {0};
      for (unsigned r = 0; r < size; ++r) begins.push_back(begins.back() + (r * 5) % 4);
      std::vector<std::byte> all(begins.back());
      for (std::size_t i = begins[world.rank()]; i < begins[world.rank() + 1]; ++i) all[i] = std::byte(i + 1);
      world.gather(all, begins);
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], std::byte(i + 1));
    });
  }
}

TEST(ThreadWorld, ExchangesMessages) {
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      std::vector<std::vector<std::byte>> to;
      for (unsigned r = 0; r < size; ++r) to.push_back(message(world.rank(), r));
      const auto from = world.exchange(to);
      for (unsigned r = 0; r < size; ++r) EXPECT_EQ(from[r], message(r, world.rank()));
    });
  }
}

TEST(ThreadWorld, AddsAndBroadcasts) {
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      std::vector<std::uint64_t> values = {world.rank(), 1, std::uint64_t{1} << 60};
      world.add(values);
      EXPECT_EQ(values,
                (std::vector<std::uint64_t>{size * (size - 1) / 2, size, size * (std::uint64_t{1} << 60)}));
      for (unsigned from = 0; from < size; ++from) {
        std::vector<std::byte> bytes(3, std::byte(world.rank() + 1));
        world.broadcast(bytes, from);
        EXPECT_EQ(bytes, std::vector<std::byte>(3, std::byte(from + 1)));
      }
    });
  }
}

TEST(ThreadWorld, SplitsIntoGroups) {
  for (const unsigned size : kSizes) {
    run_on_threads(size, [&](World& world) {
      const unsigned group = world.rank() % 2;
      const auto part = world.split(group);
      EXPECT_EQ(part->size(), (size + 1 - group) / 2);
      EXPECT_EQ(part->rank(), world.rank() / 2);
      std::uint64_t sum = world.rank();
      part->add(std::span(&sum, 1));
      std::uint64_t wanted = 0;
      for (unsigned r = group; r < size; r += 2) wanted += r;
      EXPECT_EQ(sum, wanted);
    });
  }
}

TEST(ThreadWorld, AnErrorOfOneRankEndsAllOfThem) {
  base::Rng rng(4);
  for (int trial = 0; trial < 50; ++trial) {
    const unsigned size = kSizes[rng.below(5)];
    const auto guilty = static_cast<unsigned>(rng.below(size));
    const std::uint64_t when = rng.below(20);
    const bool split = rng.below(2) == 0;
    EXPECT_THROW(run_on_threads(size,
                                [&](World& world) {
                                  const auto part = split ? world.split(world.rank() % 2) : nullptr;
                                  World& used = split ? *part : world;
                                  for (std::uint64_t i = 0; i < 20; ++i) {
                                    if (world.rank() == guilty && i == when) throw std::domain_error("no");
                                    std::uint64_t one = 1;
                                    used.add(std::span(&one, 1));
                                  }
                                  std::uint64_t one = 1;
                                  world.add(std::span(&one, 1));
                                }),
                 std::domain_error);
  }
}

TEST(Ranks, SharesCoverARange) {
  for (const unsigned size : kSizes) {
    for (const std::size_t items : {0U, 1U, 4U, 100U}) {
      run_on_threads(size, [&](World& world) {
        const base::Ranks ranks(&world);
        std::size_t next = 0;
        for (unsigned r = 0; r < size; ++r) {
          EXPECT_EQ(ranks.share(items, r).begin, next);
          next = ranks.share(items, r).end;
        }
        EXPECT_EQ(next, items);
      });
    }
  }
}

TEST(Ranks, ComputeGivesEveryRankEverything) {
  for (const unsigned size : kSizes) {
    for (const unsigned threads : {1U, 3U}) {
      for (const std::size_t width : {1U, 4U}) {
        run_on_threads(size, [&](World& world) {
          base::WorkerTeam team(threads);
          std::vector<std::uint32_t> out(37 * width);
          const base::Crew crew{team, base::Ranks(&world)};
          crew.compute(std::span(out), width, [&](unsigned, std::size_t i) {
            for (std::size_t j = 0; j < width; ++j)
              out[i * width + j] = static_cast<std::uint32_t>(i * i + j);
          });
          for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_EQ(out[i], (i / width) * (i / width) + i % width);
        });
      }
    }
  }
}

TEST(Ranks, MessagesOfAnyLengthReachEveryRank) {
  run_on_threads(5, [&](World& world) {
    const base::Ranks ranks(&world);
    const auto all = ranks.gather_messages(message(world.rank(), 0));
    for (unsigned r = 0; r < 5; ++r) EXPECT_EQ(all[r], message(r, 0));
    std::vector<std::byte> bytes = ranks.is_root() ? message(4, 1) : std::vector<std::byte>(17);
    ranks.broadcast(bytes);
    EXPECT_EQ(bytes, message(4, 1));
    EXPECT_EQ(ranks.any(std::uint64_t{1} << world.rank()), 31);
  });
}

TEST(Ranks, ADisagreementIsAnErrorOnEveryRank) {
  run_on_threads(3, [&](World& world) {
    const base::Ranks ranks(&world);
    ranks.require_same(5, "different", "");
    EXPECT_THROW(ranks.require_same(world.rank() == 2 ? 1 : 0, "different", ""), WorldError);
  });
}

TEST(Message, ReadsWhatWasWritten) {
  base::MessageWriter writer;
  writer.put(3.5);
  writer.put_all(std::vector<std::uint16_t>{1, 2, 3});
  writer.put_text("word");
  writer.put_all(std::vector<int>{});
  const std::vector<std::uint64_t> numbers = {0, 127, 128, 16383, 16384, ~std::uint64_t{0}};
  for (const std::uint64_t number : numbers) writer.put_number(number);
  const auto bytes = writer.take();
  base::MessageReader reader(bytes);
  EXPECT_EQ(reader.get<double>(), 3.5);
  EXPECT_EQ(reader.get_all<std::uint16_t>(), (std::vector<std::uint16_t>{1, 2, 3}));
  EXPECT_EQ(reader.get_text(), "word");
  EXPECT_FALSE(reader.done());
  EXPECT_TRUE(reader.get_all<int>().empty());
  for (const std::uint64_t number : numbers) EXPECT_EQ(reader.get_number(), number);
  EXPECT_TRUE(reader.done());
}

/// Counts the gathers of a rank.
class CountingWorld final : public World {
 public:
  explicit CountingWorld(World& world) : world_(world) {}
  unsigned rank() const noexcept override { return world_.rank(); }
  unsigned size() const noexcept override { return world_.size(); }
  void gather(std::span<std::byte> all, std::span<const std::size_t> begins) override {
    ++gathers;
    world_.gather(all, begins);
  }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) override {
    return world_.exchange(to);
  }
  void add(std::span<std::uint64_t> values) override { world_.add(values); }
  void broadcast(std::span<std::byte> bytes, unsigned from) override { world_.broadcast(bytes, from); }
  std::unique_ptr<World> split(unsigned group) override { return world_.split(group); }

  int gathers = 0;

 private:
  World& world_;
};

/// A message that says who sent it and when.
std::vector<std::byte> message_of(unsigned rank, std::size_t turn, std::size_t size) {
  std::vector<std::byte> message;
  for (std::size_t i = 0; i < size; ++i) message.push_back(static_cast<std::byte>(rank + 31 * turn + 7 * i));
  return message;
}

TEST(RepeatedGather, GathersWhateverTheLengths) {
  constexpr std::size_t kLarge = std::size_t{1} << 19;
  const std::vector<std::size_t> sizes = {0, 5, 4, 100, 0, 3, kLarge, 10, 1};
  for (const unsigned ranks : {1U, 2U, 3U, 5U, 8U}) {
    run_on_threads(ranks, [&](World& world) {
      base::RepeatedGather gather;
      const auto size = [&](std::size_t turn, unsigned rank) {
        return rank % 2 == 1 && sizes[turn] == kLarge ? 2 : sizes[turn] + rank;
      };
      for (std::size_t turn = 0; turn < sizes.size(); ++turn) {
        const auto all =
            gather.gather(base::Ranks(&world), message_of(world.rank(), turn, size(turn, world.rank())));
        ASSERT_EQ(all.size(), ranks);
        for (unsigned r = 0; r < ranks; ++r) EXPECT_EQ(all[r], message_of(r, turn, size(turn, r)));
      }
    });
  }
}

TEST(RepeatedGather, OneCallIsEnoughForMessagesOfOneLength) {
  run_on_threads(3, [&](World& world) {
    CountingWorld counting(world);
    base::RepeatedGather gather;
    for (std::size_t turn = 0; turn < 10; ++turn) {
      (void)gather.gather(base::Ranks(&counting), message_of(world.rank(), turn, 1000 + world.rank() * turn));
    }
    EXPECT_EQ(counting.gathers, 11);  // the first time, nobody knows how long they are
  });
}

}  // namespace
}  // namespace firth

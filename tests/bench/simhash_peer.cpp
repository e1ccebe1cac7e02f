// All pairs within 3 bits of the fingerprints of bench_simhash, by simhash-cpp (github.com/seomoz/simhash-cpp), on one thread; prints
// the seconds. scripts/benchmark compiles it when SIMHASH_CPP names a checkout of that library.
// Usage: simhash_peer FINGERPRINTS [FILE] FILE gets the pairs, in hexadecimal, the lower one first.
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "simhash.h"

static uint64_t next_random(uint64_t *state) { // splitmix64
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

int main(int argc, char **argv) {
    const size_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1000000, copies = n / 100;
    std::vector<uint64_t> all(n);
    uint64_t state = 1;
    for (size_t i = 0; i < n - copies; i++) all[i] = next_random(&state);
    for (size_t i = 0; i < copies; i++) {
        uint64_t copy = all[i];
        while (__builtin_popcountll(copy ^ all[i]) < static_cast<int>(i % 4)) copy ^= UINT64_C(1) << next_random(&state) % 64;
        all[n - copies + i] = copy;
    }
    std::unordered_set<uint64_t> set(all.begin(), all.end());
    const auto start = std::chrono::steady_clock::now();
    const auto pairs = Simhash::find_all(set, 6, 3);
    printf("together        %8.2f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (argc < 3) return 0;
    FILE *file = fopen(argv[2], "w");
    for (const auto &p : pairs) fprintf(file, "%016" PRIx64 " %016" PRIx64 "\n", p.first, p.second);
    return fclose(file);
}

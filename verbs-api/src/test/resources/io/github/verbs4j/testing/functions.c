// Functions for a provider of a test: each notes what it is called with, and returns what the test
// has said. In C, as some are called in a way that allows no call back into Java.

#include <string.h>

#define FUNCTIONS 32
#define CALLS 64
#define ARGUMENTS 6

struct call {
    long function;
    long arguments[ARGUMENTS];
};

struct results {
    long next;
    long count;
    long values[16];
    long otherwise;
};

struct function {
    long result;
    struct results *results; // in place of result
    long *bumped;            // made one larger, or NULL
    const void *filling;     // copied to where the second argument points, or NULL
    long filling_size;
};

struct function functions[FUNCTIONS];
struct call calls[CALLS];
long call_count;

static long called(long index, long a, long b, long c, long d, long e, long f)
{
    struct function *function = &functions[index];
    if (call_count < CALLS)
        calls[call_count++] = (struct call){index, {a, b, c, d, e, f}};
    if (function->bumped)
        ++*function->bumped;
    if (function->filling)
        memcpy((void *)b, function->filling, function->filling_size);
    struct results *results = function->results;
    if (!results)
        return function->result;
    return results->next < results->count ? results->values[results->next++] : results->otherwise;
}

#define FUNCTION(n)                                                                                \
    static long function_##n(long a, long b, long c, long d, long e, long f)                       \
    {                                                                                              \
        return called(n, a, b, c, d, e, f);                                                        \
    }
#define EACH(X)                                                                                    \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)    \
    X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define ADDRESS(n) function_##n,

EACH(FUNCTION)

long (*addresses[FUNCTIONS])(long, long, long, long, long, long) = {EACH(ADDRESS)};

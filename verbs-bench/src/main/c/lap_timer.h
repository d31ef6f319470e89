/*
 * Ends an iteration as JMH does: a thread sleeps, and then sets a flag. A loop that looked at the
 * clock after each lap would be slower for it, in a guest by microseconds.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

static atomic_int iteration_over;

static void *sleep_and_end(void *millis)
{
	long left = (intptr_t)millis;
	struct timespec length = { left / 1000, left % 1000 * 1000000 };

	while (nanosleep(&length, &length))
		;
	atomic_store(&iteration_over, 1);
	return NULL;
}

/* Returns what pthread_create does. */
static int begin_iteration(int millis)
{
	pthread_t thread;
	int error;

	atomic_store(&iteration_over, 0);
	error = pthread_create(&thread, NULL, sleep_and_end, (void *)(intptr_t)millis);
	return error ? error : pthread_detach(thread);
}

/* Options of the C twins: a value that is not understood ends the program, rather than being taken for another. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long number(const char *key, const char *value, long least, long most)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	if (errno || end == value || *end || value[strspn(value, "-0123456789")] || n < least || n > most) {
		fprintf(stderr, "%s takes a number from %ld to %ld, not \"%s\"\n", key, least, most, value);
		exit(1);
	}
	return n;
}

// Preloaded into codelia. Shifts its wall clock by CLOCK_SHIFT_S seconds and the device number of every file by
// DEVICE_SHIFT, as on a machine whose clock was set, or that sees a tree through a share.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static long shift(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? 0 : atol(value);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift("CLOCK_SHIFT_S");
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

// The deadline is a time of the shifted clock; the kernel's is not shifted.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  // An older function of the same name expects another layout of the condition.
  if (real == NULL) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (real == NULL) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec moved = *until;
  // A deadline of the monotonic clock is smaller.
  if (moved.tv_sec > 500000000) moved.tv_sec -= shift("CLOCK_SHIFT_S");
  return real(condition, mutex, &moved);
}

// The program calls statx() through syscall().
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (real == NULL) real = dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  long result = real(number, a, b, c, d, e, f);
  if (number == SYS_statx && result == 0) ((struct statx *)e)->stx_dev_minor += shift("DEVICE_SHIFT");
  return result;
}

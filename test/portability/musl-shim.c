/* What Debian's libstdc++, made for glibc, asks of its libc, and musl has not: enough for a program to start. */
typedef unsigned long size_t;
size_t strftime_l(char *, size_t, const char *, const void *, void *);
unsigned long getauxval(unsigned long);
unsigned long strtoul(const char *, char **, int);

char __libc_single_threaded = 0;
unsigned arc4random(void) { static unsigned state = 1; return state = state * 1103515245u + 12345u; }
size_t __strftime_l(char *to, size_t size, const char *format, const void *time, void *locale) {
  return strftime_l(to, size, format, time, locale);
}
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library) { return 0; }
int _dl_find_object(void *address, void *result) { return -1; }
unsigned long __getauxval(unsigned long type) { return getauxval(type); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
int strfromf128(char *to, size_t size, const char *format, ...) { return -1; }
void strtof128(void) {}
#ifdef __x86_64__
struct { unsigned vendor, type, subtype, features; } __cpu_model;
int __cpu_indicator_init(void) { return 0; }
#endif

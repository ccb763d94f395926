/*
 * trace-calls OUTPUT PROGRAM [ARGUMENT…]: runs a program and writes down each call to the system that it, its threads and
 * its children make and that names a file, opens a way out, or starts something. One line a call:
 *
 *   name TAB result TAB flags TAB path TAB second path
 *
 * The result is what the kernel gave back, flags are in hexadecimal, paths are absolute, control characters and '%' in them
 * are shown as %XX. It ends as the program does, as a shell counts.
 *
 * For Linux 5.3 and later, on any processor: the kernel itself says what a call is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct rule {
  long number;
  const char *name;
  int directory, path;               /* which arguments; -1 for none */
  int second_directory, second_path;
  int flags;
};

#define CALL(name, directory, path, second_directory, second_path, flags) \
  { SYS_##name, #name, directory, path, second_directory, second_path, flags }

static const struct rule rules[] = {
#ifdef SYS_open
  CALL(open, -1, 0, -1, -1, 1), CALL(creat, -1, 0, -1, -1, -1), CALL(mkdir, -1, 0, -1, -1, -1),
  CALL(rmdir, -1, 0, -1, -1, -1), CALL(unlink, -1, 0, -1, -1, -1), CALL(rename, -1, 0, -1, 1, -1),
  CALL(link, -1, 0, -1, 1, -1), CALL(symlink, -1, -1, -1, 1, -1), CALL(mknod, -1, 0, -1, -1, -1),
  CALL(chmod, -1, 0, -1, -1, -1), CALL(chown, -1, 0, -1, -1, -1), CALL(lchown, -1, 0, -1, -1, -1),
  CALL(utime, -1, 0, -1, -1, -1), CALL(utimes, -1, 0, -1, -1, -1), CALL(fork, -1, -1, -1, -1, -1),
  CALL(vfork, -1, -1, -1, -1, -1),
#endif
  CALL(openat, 0, 1, -1, -1, 2), CALL(openat2, 0, 1, -1, -1, -1), CALL(mkdirat, 0, 1, -1, -1, -1),
  CALL(unlinkat, 0, 1, -1, -1, -1),
#ifdef SYS_renameat
  CALL(renameat, 0, 1, 2, 3, -1),
#endif
  CALL(renameat2, 0, 1, 2, 3, -1), CALL(linkat, 0, 1, 2, 3, -1), CALL(symlinkat, -1, -1, 1, 2, -1),
  CALL(mknodat, 0, 1, -1, -1, -1), CALL(fchmodat, 0, 1, -1, -1, -1), CALL(fchownat, 0, 1, -1, -1, -1),
  CALL(utimensat, 0, 1, -1, -1, -1), CALL(truncate, -1, 0, -1, -1, -1), CALL(setxattr, -1, 0, -1, -1, -1),
  CALL(mount, -1, 1, -1, -1, -1), CALL(chroot, -1, 0, -1, -1, -1), CALL(chdir, -1, 0, -1, -1, -1),
  CALL(execve, -1, 0, -1, -1, -1), CALL(execveat, 0, 1, -1, -1, -1), CALL(clone, -1, -1, -1, -1, 0),
  CALL(socket, -1, -1, -1, -1, 0), CALL(socketpair, -1, -1, -1, -1, 0), CALL(connect, -1, -1, -1, -1, -1),
  CALL(bind, -1, -1, -1, -1, -1), CALL(sendto, -1, -1, -1, -1, -1), CALL(sendmsg, -1, -1, -1, -1, -1),
  CALL(io_uring_setup, -1, -1, -1, -1, -1), CALL(ptrace, -1, -1, -1, -1, 0), CALL(bpf, -1, -1, -1, -1, -1),
  CALL(process_vm_writev, -1, -1, -1, -1, -1), CALL(kill, -1, -1, -1, -1, 1),
};

#define MOST_THREADS 4096
static struct { pid_t id; const struct rule *rule; uint64_t arguments[6]; } threads[MOST_THREADS];

static long trace(long request, pid_t id, void *address, void *data) {
  return syscall(SYS_ptrace, request, id, address, data);
}

static int slot_of(pid_t id) {
  for (int index = 0; index < MOST_THREADS; index++) {
    if (threads[index].id == id) return index;
    if (threads[index].id == 0) { threads[index].id = id; return index; }
  }
  fprintf(stderr, "trace-calls: too many threads\n");
  exit(125);
}

static const struct rule *rule_of(uint64_t number) {
  for (size_t index = 0; index < sizeof rules / sizeof *rules; index++)
    if ((uint64_t)rules[index].number == number) return &rules[index];
  return NULL;
}

/* A text of the traced process, page by page: where it ends, the next page may not be there. */
static void read_text(pid_t id, uint64_t address, char *into, size_t size) {
  size_t length = 0;
  while (length + 1 < size) {
    size_t part = 4096 - (address + length) % 4096;
    if (part > size - 1 - length) part = size - 1 - length;
    struct iovec here = { into + length, part }, there = { (void *)(uintptr_t)(address + length), part };
    ssize_t count = process_vm_readv(id, &here, 1, &there, 1, 0);
    if (count <= 0) break;
    char *end = memchr(into + length, 0, (size_t)count);
    if (end != NULL) return;
    length += (size_t)count;
  }
  into[length] = 0;
}

static void print_text(FILE *out, const char *text) {
  for (; *text != 0; text++) {
    unsigned char unit = (unsigned char)*text;
    if (unit < 32 || unit == 127 || unit == '%') fprintf(out, "%%%02X", unit);
    else fputc(unit, out);
  }
}

/* A relative path stands below the directory of the descriptor, or below the working directory. */
static void print_path(FILE *out, pid_t id, const uint64_t *arguments, int directory, int path) {
  fputc('\t', out);
  if (path < 0) return;
  static char text[PATH_MAX * 2], base[PATH_MAX], link[64];
  read_text(id, arguments[path], text, sizeof text);
  if (text[0] != '/') {
    int descriptor = directory < 0 ? AT_FDCWD : (int)arguments[directory];
    if (descriptor == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", id);
    else snprintf(link, sizeof link, "/proc/%d/fd/%d", id, descriptor);
    ssize_t length = readlink(link, base, sizeof base - 1);
    base[length < 0 ? 0 : length] = 0;
    print_text(out, base);
    fputc('/', out);
  }
  print_text(out, text);
}

static void on_call(FILE *out, pid_t id) {
  struct ptrace_syscall_info info;
  if (trace(PTRACE_GET_SYSCALL_INFO, id, (void *)sizeof info, &info) <= 0) return;
  int slot = slot_of(id);
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
    threads[slot].rule = rule_of(info.entry.nr);
    for (int index = 0; index < 6; index++) threads[slot].arguments[index] = info.entry.args[index];
    /* Afterwards the program is another one, and its old text gone. */
    if (threads[slot].rule == NULL || strncmp(threads[slot].rule->name, "exec", 4) != 0) return;
  } else if (info.op != PTRACE_SYSCALL_INFO_EXIT || threads[slot].rule == NULL) return;
  const struct rule *rule = threads[slot].rule;
  const uint64_t *arguments = threads[slot].arguments;
  int64_t result = info.op == PTRACE_SYSCALL_INFO_EXIT ? info.exit.rval : 0;
  uint64_t flags = rule->flags < 0 ? 0 : arguments[rule->flags];
  fprintf(out, "%s\t%lld\t%llx", rule->name, (long long)result, (unsigned long long)flags);
  print_path(out, id, arguments, rule->directory, rule->path);
  print_path(out, id, arguments, rule->second_directory, rule->second_path);
  fputc('\n', out);
  threads[slot].rule = NULL;
}

int main(int count, char **words) {
  if (count < 3) return fprintf(stderr, "usage: trace-calls OUTPUT PROGRAM [ARGUMENT…]\n"), 64;
  FILE *out = fopen(words[1], "we");
  if (out == NULL) return perror(words[1]), 125;
  pid_t child = fork();
  if (child == 0) {
    if (trace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(125);
    raise(SIGSTOP);
    execvp(words[2], words + 2);
    _exit(127);
  }
  int status;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return fprintf(stderr, "trace-calls: may not trace\n"), 125;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (trace(PTRACE_SETOPTIONS, child, NULL, (void *)options) != 0) return perror("trace-calls"), 125;
  trace(PTRACE_SYSCALL, child, NULL, NULL);
  int end = 125;
  for (pid_t id; (id = waitpid(-1, &status, __WALL)) > 0;) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (id == child) end = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      continue;
    }
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) on_call(out, id), signal = 0;
    /* What the kernel says of a new thread, or of one that begins, is no signal of the program's. */
    else if (status >> 16 != 0 || signal == SIGSTOP) signal = 0;
    trace(PTRACE_SYSCALL, id, NULL, (void *)(long)signal);
  }
  return fclose(out) == 0 ? end : 125;
}

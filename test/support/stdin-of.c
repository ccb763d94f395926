// stdin-of KIND PROGRAM ARGUMENT...: runs a program whose standard input is of a kind that no shell makes, sends it what
// comes on our own, and keeps the other end open until the program has ended. Its exit code is ours.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { NOBODY = 65534, MOST = 1024 * 1024 };

static void need(int isGood, const char *what) {
  if (isGood) return;
  fprintf(stderr, "stdin-of: %s: %s\n", what, strerror(errno));
  exit(99);
}

static void openTcp(int ends[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  need(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0, "listen");
  need(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
  ends[1] = socket(AF_INET, SOCK_STREAM, 0);
  need(connect(ends[1], (struct sockaddr *)&address, length) == 0, "connect");
  ends[0] = accept(listener, NULL, NULL);
  close(listener);
}

static void openTerminal(int ends[2]) {
  ends[1] = posix_openpt(O_RDWR | O_NOCTTY);
  need(ends[1] >= 0 && grantpt(ends[1]) == 0 && unlockpt(ends[1]) == 0, "openpt");
  ends[0] = open(ptsname(ends[1]), O_RDWR | O_NOCTTY);
  struct termios settings;
  need(ends[0] >= 0 && tcgetattr(ends[0], &settings) == 0, "terminal");
  cfmakeraw(&settings);
  need(tcsetattr(ends[0], TCSANOW, &settings) == 0, "tcsetattr");
}

// ends[0] is for the program, ends[1] for us.
static void openEnds(const char *kind, int ends[2]) {
  if (strcmp(kind, "stream") == 0) need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  else if (strcmp(kind, "packet") == 0) need(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "socketpair");
  else if (strcmp(kind, "tcp") == 0) openTcp(ends);
  else if (strcmp(kind, "terminal") == 0) openTerminal(ends);
  // Nobody but root may open it, and the program is not root.
  else if (strcmp(kind, "pipe") == 0) need(pipe(ends) == 0 && fchmod(ends[0], 0) == 0, "pipe");
  else need(0, kind);
}

static void runProgram(const char *kind, int end, char **words) {
  if (strcmp(kind, "pipe") == 0 && geteuid() == 0) need(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0, "setuid");
  need(dup2(end, 0) == 0, "dup2");
  execv(words[0], words);
  need(0, words[0]);
}

static void sendAll(int end, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = write(end, bytes, count);
    if (sent < 0) return;
    bytes += sent;
    count -= sent;
  }
}

int main(int count, char **words) {
  static char bytes[MOST];
  int ends[2];
  need(count > 2, "KIND PROGRAM");
  signal(SIGPIPE, SIG_IGN);
  openEnds(words[1], ends);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) runProgram(words[1], ends[0], words + 2);
  close(ends[0]);
  // A packet is all of it at once.
  int isPacket = strcmp(words[1], "packet") == 0;
  size_t held = 0;
  for (ssize_t got; (got = read(0, bytes + held, MOST - held)) > 0;) {
    if (isPacket) held += got;
    else sendAll(ends[1], bytes, got);
  }
  if (held > 0) sendAll(ends[1], bytes, held);
  int status;
  need(waitpid(child, &status, 0) == child, "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

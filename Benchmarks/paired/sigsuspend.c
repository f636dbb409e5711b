/* Preloaded under valgrind 3.19, which writes into the mask that sigsuspend is given; libdispatch's can't be written. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}

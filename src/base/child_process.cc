#include "base/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.h"

namespace hmtc {
namespace {

constexpr int kNotStarted = 127;

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, int log, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotStarted);  // it ended before the line above
  ::setpgid(0, 0);  // a key that interrupts the parent is passed on by it, and comes once
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execv(arguments[0], arguments);
  ::_exit(kNotStarted);
}

/// The most memory that a process has had, in MB; what was known before once it has ended. Not from
/// wait4(), which counts the copy of this process that the child was before exec.
double peak_mb_of(pid_t process, double before) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string name; status >> name;) {
    double kilobytes = 0;
    if (name == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
  }
  return before;
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                      const ChildWatch& watch) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int log_file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (log_file < 0) throw io_error("write", log.string());
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), log_file, parent);
  ::close(log_file);
  if (child < 0) throw io_error("start", command.front());

  ChildResult result;
  int status = 0;
  bool told_to_stop = false;
  Clock::time_point next_report = start + watch.report_every;
  for (;;) {
    result.peak_mb = peak_mb_of(child, result.peak_mb);
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) throw io_error("wait for", command.front());
    if (!told_to_stop && watch.should_stop && watch.should_stop()) {
      ::kill(child, SIGTERM);
      told_to_stop = true;
    }
    if (watch.on_report && Clock::now() >= next_report) {
      watch.on_report(result);
      next_report += watch.report_every;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

ErrorKind kind_of_exit(int exit_code) {
  for (const ErrorKind kind :
       {ErrorKind::kUsage, ErrorKind::kInput, ErrorKind::kIo, ErrorKind::kModel}) {
    if (exit_code == static_cast<int>(kind)) return kind;
  }
  return ErrorKind::kInternal;
}

std::filesystem::path this_program() {
  const char* const running = "/proc/self/exe";
  std::filesystem::path path = std::filesystem::read_symlink(running);
  std::error_code failure;
  // A file that was replaced, as by a build, has no name any more. It can still be started.
  return std::filesystem::exists(path, failure) ? path : running;
}

}  // namespace hmtc

#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.h"

namespace hmtc {
namespace {

constexpr int kNotStarted = 127;
constexpr int kUnknownExitCode = -1;

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, char* const* environment, int output,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotStarted);  // it ended before the line above
  ::setpgid(0, 0);  // a key that interrupts the parent is passed on by it, and comes once
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // the thread that calls may keep signals off
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execve(arguments[0], arguments, environment);
  ::_exit(kNotStarted);
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// The same file under a number that no standard stream has, where the caller has closed his own.
int above_standard_streams(int file) {
  if (file > STDERR_FILENO) return file;
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(file);
  return moved;
}

/// Starts a program that writes to `output`, which is closed here.
pid_t start(const std::vector<std::string>& command, char* const* environment, int output) {
  const std::vector<char*> arguments = pointers_to(command);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), environment, output, parent);
  ::close(output);
  if (child < 0) throw io_error("start", command.front());
  return child;
}

/// What a child writes to a pipe, as lines.
class LinePipe {
 public:
  explicit LinePipe(std::function<void(const std::string&)> on_line)
      : on_line_(std::move(on_line)) {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw io_error("make", "a pipe");
    for (int& end : ends_) end = above_standard_streams(end);
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~LinePipe() { ::close(ends_[0]); }
  LinePipe(const LinePipe&) = delete;
  LinePipe& operator=(const LinePipe&) = delete;

  int end_to_write() const { return ends_[1]; }

  /// Waits for something to read, but not long, and reads what is there.
  void wait_and_read(std::chrono::milliseconds longest) {
    pollfd waiting{ends_[0], POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(longest.count()));
    if ((waiting.revents & POLLIN) == 0) std::this_thread::sleep_for(longest);  // it was closed
    read_what_is_there();
  }

  void read_what_is_there() {
    char bytes[4096];
    for (ssize_t count; (count = ::read(ends_[0], bytes, sizeof(bytes))) > 0;) {
      for (const char byte : std::string_view(bytes, static_cast<std::size_t>(count))) {
        if (byte != '\n') {
          line_ += byte;
        } else {
          give_line();
        }
      }
    }
  }

  /// Reads the last line, which may have no end.
  void finish() {
    read_what_is_there();
    if (!line_.empty()) give_line();
  }

 private:
  void give_line() { on_line_(std::exchange(line_, {})); }

  std::function<void(const std::string&)> on_line_;
  int ends_[2] = {-1, -1};
  std::string line_;
};

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

/// `wait` takes a moment, in which it may do something else.
ChildResult watch_child(pid_t child, const std::string& name, const ChildWatch& watch,
                        const std::function<void()>& wait) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  ChildResult result;
  int status = 0;
  bool told_to_stop = false, told_to_finish = false;
  const auto tell = [child](const std::function<bool()>& should, int signal, bool& told) {
    if (told || !should || !should()) return;
    ::kill(child, signal);
    told = true;
  };
  Clock::time_point next_report = start + watch.report_every;
  for (;;) {
    result.peak_mb = peak_mb_of(child, result.peak_mb);
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (ended == child) break;
    if (ended < 0 && errno == ECHILD) {  // somebody else in this process has waited for it
      result.exit_code = kUnknownExitCode;
      return result;
    }
    if (ended < 0 && errno != EINTR) throw io_error("wait for", name);
    tell(watch.should_stop, SIGTERM, told_to_stop);
    tell(watch.should_finish, SIGUSR1, told_to_finish);
    if (watch.on_report && Clock::now() >= next_report) {
      watch.on_report(result);
      next_report += watch.report_every;
    }
    wait();
  }
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

constexpr std::chrono::milliseconds kMoment{20};

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& log,
                      const ChildWatch& watch) {
  const int log_file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (log_file < 0) throw io_error("write", log.string());
  const pid_t child = start(command, environ, above_standard_streams(log_file));
  return watch_child(child, command.front(), watch, [] { std::this_thread::sleep_for(kMoment); });
}

ChildResult run_child(const std::vector<std::string>& command,
                      const std::vector<std::string>& environment,
                      const std::function<void(const std::string& line)>& on_line,
                      const ChildWatch& watch) {
  std::vector<char*> all = pointers_to(environment);
  all.pop_back();
  for (char** variable = environ; *variable != nullptr; ++variable) all.push_back(*variable);
  all.push_back(nullptr);
  LinePipe pipe(on_line);
  const pid_t child = start(command, all.data(), pipe.end_to_write());
  ChildResult result;
  try {
    result = watch_child(child, command.front(), watch, [&pipe] { pipe.wait_and_read(kMoment); });
  } catch (...) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    throw;
  }
  pipe.finish();
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

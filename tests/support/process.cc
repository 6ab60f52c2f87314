#include "support/process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace hmtc {
namespace {

int memory_file(const char* name) {
  const int fd = ::memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) throw std::runtime_error("memfd_create failed");
  return fd;
}

std::string content_of(int fd) {
  std::string content;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::pread(fd, buffer, sizeof buffer, static_cast<off_t>(content.size()))) > 0) {
    content.append(buffer, static_cast<std::size_t>(got));
  }
  return content;
}

}  // namespace

Process::Process(const std::vector<std::string>& argv, const std::string& input,
                 const std::string& out_path)
    : in_(memory_file("stdin")),
      out_(out_path.empty() ? memory_file("stdout") : ::open(out_path.c_str(), O_WRONLY)),
      err_(memory_file("stderr")) {
  if (::write(in_, input.data(), input.size()) != static_cast<ssize_t>(input.size())) {
    throw std::runtime_error("cannot write the input");
  }
  ::lseek(in_, 0, SEEK_SET);
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    ::dup2(in_, STDIN_FILENO);
    ::dup2(out_, STDOUT_FILENO);
    ::dup2(err_, STDERR_FILENO);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
}

Process::~Process() {
  if (is_running()) {
    send(SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
  for (const int fd : {in_, out_, err_}) ::close(fd);
}

std::string Process::program() const {
  std::error_code failure;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid_) + "/exe", failure).string();
}

void Process::send(int signal) const {
  if (!ended_) ::kill(pid_, signal);
}

std::string Process::out() const { return content_of(out_); }

std::string Process::err() const { return content_of(err_); }

bool Process::is_running() {
  if (!ended_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
  return !ended_;
}

ProcessResult Process::wait() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (is_running()) {
    if (std::chrono::steady_clock::now() > deadline) send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ProcessResult result;
  if (WIFEXITED(status_)) result.exit_code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) result.signal = WTERMSIG(status_);
  result.out = content_of(out_);
  result.err = content_of(err_);
  return result;
}

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& input,
                          const std::string& out_path) {
  return Process(argv, input, out_path).wait();
}

}  // namespace hmtc

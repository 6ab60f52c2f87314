#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hmtc {

/// Where a directory is prepared before it takes its place; ours wherever it is found.
constexpr const char* kStagingName = ".hmtc-staging";

/// Where a file is written before it takes its place.
std::filesystem::path temporary_beside(const std::filesystem::path& path);

/// Absolute, without links, `.`, `..` and a slash at the end, so that two spellings of a place
/// become one. An empty path stays empty.
std::filesystem::path one_spelling(const std::filesystem::path& path);

/// Throws kIo, as reading it would, when nothing is there.
void require_exists(const std::filesystem::path& path);

/// The whole content of a file. Throws kIo when it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes a file so that a reader sees the old content or the new one, never a part:
/// a temporary file beside it, fsync, rename, fsync of the folder.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Writes where somebody has asked for output: a regular file as write_file_atomically() does, or
/// the one that a symbolic link leads to; a device, FIFO or socket directly. Throws kIo.
void write_output_file(const std::filesystem::path& path, std::string_view content);

/// Renames a finished temporary file to its final name, both synced to disk.
void rename_synced(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// Entries of a directory that are treated apart when it is replaced.
struct DirectoryEntries {
  std::string kept;  ///< carried over from the old directory when the new one lacks it
  std::string last;  ///< a file that makes the others count
};

/// Replaces the directory `path` by one that `fill` writes: `fill` gets an empty directory beside
/// it; when it returns, its files are synced and the two change places in one step. A directory
/// that has to stay where it is (a mount point, or in a folder that others own) gets the files one
/// by one, `last` at last. When `fill` throws, `path` stays as it was.
void write_directory_atomically(const std::filesystem::path& path,
                                const std::function<void(const std::filesystem::path&)>& fill,
                                const DirectoryEntries& entries = {});

/// Finishes a replacement that was cut off.
void recover_directory(const std::filesystem::path& path, const DirectoryEntries& entries);

}  // namespace hmtc

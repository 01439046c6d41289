#include "base/transaction.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/hidden_name.hpp"

namespace firth::base {
namespace {

/// A folder that is one result, and what belongs to it.
struct Claim {
  std::string folder;
  std::string normal;
  std::vector<IsStale> stale;
};

}  // namespace

struct Transaction::State {
  std::vector<PendingFile> files;
  std::vector<Claim> claims;

  static thread_local State* current;

  Claim* claim_of(const std::string& path) {
    const std::string folder = normal_path(folder_of(path));
    const auto found = std::find_if(claims.begin(), claims.end(),
                                    [&](const Claim& claim) { return claim.normal == folder; });
    return found == claims.end() ? nullptr : &*found;
  }

  void commit_claim(const Claim& claim) {
    std::vector<PendingFile*> inside;
    for (PendingFile& file : files)
      if (!file.is_stream() && claim_of(file.path()) == &claim) inside.push_back(&file);
    const IsStale is_stale = [&](std::string_view name) {
      return std::any_of(claim.stale.begin(), claim.stale.end(), [&](const IsStale& is) { return is(name); });
    };
    if (!inside.empty()) commit_folder(claim.folder, inside, is_stale);
  }

  /// Everything that can fail for lack of space or rights happens before the first file gets its name.
  void commit_single_files() {
    std::vector<PendingFile*> single;
    for (PendingFile& file : files)
      if (!file.is_stream() && claim_of(file.path()) == nullptr) single.push_back(&file);
    if (single.size() > 1)
      for (PendingFile* file : single) file->stage();
    std::set<std::string> folders;
    for (PendingFile* file : single) {
      file->publish();
      folders.insert(folder_of(file->target()));
    }
    for (const std::string& folder : folders) {
      sync_folder(folder);
      remove_leftovers(folder);
    }
  }
};

thread_local Transaction::State* Transaction::State::current = nullptr;

Transaction::Transaction() {
  if (State::current == nullptr) {
    owned_ = std::make_unique<State>();
    State::current = owned_.get();
  }
  state_ = State::current;
  files_before_ = state_->files.size();
}

Transaction::~Transaction() {
  if (!committed_)
    while (state_->files.size() > files_before_) state_->files.pop_back();
  if (owned_) State::current = nullptr;
}

void Transaction::claim(const std::string& folder, IsStale is_stale) {
  check_output_folder(folder);
  const std::string normal = normal_path(folder);
  auto found = std::find_if(state_->claims.begin(), state_->claims.end(),
                            [&](const Claim& claim) { return claim.normal == normal; });
  if (found == state_->claims.end()) found = state_->claims.insert(found, {folder, normal, {}});
  if (is_stale) found->stale.push_back(std::move(is_stale));
}

void Transaction::commit() {
  committed_ = true;
  if (!owned_) return;
  for (const Claim& claim : state_->claims) state_->commit_claim(claim);
  state_->commit_single_files();
  for (PendingFile& file : state_->files)
    if (file.is_stream()) file.publish();
  state_->files.clear();
}

std::string Transaction::place_for(const std::string& path) {
  if (State::current == nullptr) return "";
  const Claim* claim = State::current->claim_of(path);
  return claim == nullptr ? "" : missing_part(resolve_links(claim->folder)).existing;
}

bool Transaction::take(PendingFile& file) {
  if (State::current == nullptr) return false;
  State::current->files.push_back(std::move(file));
  return true;
}

}  // namespace firth::base

#include <sqlite3.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Swift cannot call functions with a variable number of arguments.
static inline int roost_sqlite_harden(sqlite3 *db) {
  int result = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  return result;
}

// SQLITE_TRANSIENT is a macro that Swift does not see. No bytes would be NULL.
static inline int roost_sqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, int count) {
  return sqlite3_bind_text(statement, place, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

static inline int roost_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, place, 0);
  return sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// The bytes of a text or a blob, which stay until the next step; NULL where there are none, or no memory.
static inline const void *roost_sqlite_value_bytes(sqlite3_value *value, int *count) {
  int is_text = sqlite3_value_type(value) == SQLITE_TEXT;
  const void *bytes = is_text ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value);
  // After the text, which may be made of UTF-16.
  *count = sqlite3_value_bytes(value);
  return bytes;
}

// What tells whether a file was written to: also its first bytes, where a database counts its transactions and a log has a salt.
struct roost_file_state {
  int64_t bytes;
  int64_t seconds;
  int64_t nanoseconds;
  uint64_t inode;
  int32_t is_regular;
  uint8_t head[104];
};

// Returns 1 for a file, 0 if there is none, and -1 if it cannot be read; errno is set then.
static inline int roost_file_state_read(const char *path, struct roost_file_state *state) {
  struct stat found;
  memset(state, 0, sizeof *state);
  if (stat(path, &found) != 0) return errno == ENOENT ? 0 : -1;
  state->bytes = (int64_t)found.st_size;
#ifdef __APPLE__
  state->seconds = (int64_t)found.st_mtimespec.tv_sec;
  state->nanoseconds = (int64_t)found.st_mtimespec.tv_nsec;
#else
  state->seconds = (int64_t)found.st_mtim.tv_sec;
  state->nanoseconds = (int64_t)found.st_mtim.tv_nsec;
#endif
  state->inode = (uint64_t)found.st_ino;
  state->is_regular = S_ISREG(found.st_mode) ? 1 : 0;
  if (!state->is_regular) return 1;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return -1;
  (void)fread(state->head, 1, sizeof state->head, file);
  fclose(file);
  return 1;
}

// Whether a rollback journal is of a transaction over several files: it ends in the name of another file, and this number.
static inline int roost_journal_names_another(const char *path) {
  static const uint8_t magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  uint8_t first[8] = {0}, last[8] = {0};
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  (void)fread(first, 1, sizeof first, file);
  if (fseek(file, -8, SEEK_END) == 0) (void)fread(last, 1, sizeof last, file);
  fclose(file);
  return memcmp(first, magic, 8) == 0 && memcmp(last, magic, 8) == 0;
}

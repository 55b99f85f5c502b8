#include <sqlite3.h>

// Swift cannot call functions with a variable number of arguments.
static inline int roost_sqlite_disable_memory_status(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

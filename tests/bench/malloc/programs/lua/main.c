/* Lua as an embedder runs it: one state, the standard allocator over realloc and free, one script, the state closed.
 *
 * An error ends the program (LUAI_THROW in program.mjs): a jump would need JavaScript or exceptions beside the module. For
 * that reason the script has no coroutines, whose yield is a jump.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

extern const unsigned script_size;
extern const char script[];

/* Without os and io, which would bring a file system into the module. */
static const luaL_Reg libraries[] = {
    {LUA_GNAME, luaopen_base},          {LUA_TABLIBNAME, luaopen_table}, {LUA_STRLIBNAME, luaopen_string},
    {LUA_MATHLIBNAME, luaopen_math},
};

static void *allocate(void *user, void *mem, size_t old_size, size_t size) {
  (void)user, (void)old_size;
  if (size > 0) return realloc(mem, size);
  free(mem);
  return NULL;
}

int main(void) {
  lua_State *state = lua_newstate(allocate, NULL);
  if (state == NULL) return 2;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i) {
    luaL_requiref(state, libraries[i].name, libraries[i].func, 1);
    lua_pop(state, 1);
  }
  const int failed = luaL_loadbufferx(state, script, script_size, "script", "t") || lua_pcall(state, 0, 0, 0);
  if (failed) printf("error: %s\n", lua_tostring(state, -1));
  lua_close(state);
  return failed;
}

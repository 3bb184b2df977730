/* Lua typed by a visitor. Each text runs as a coroutine, which a hook interrupts every kInstructions instructions (watched.W1);
 * globals stay from text to text. A text that is an expression prints its values, as Lua's own prompt does.
 *
 * Its jumps (errors, yields) are wasm's own exceptions, so the module needs no JavaScript for them (program.mjs). */
#include <stdlib.h>

#include "../program_print.h"
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

enum {
  kInstructions = 500000,
  kMostUncut = 2000, /* hooks where the text cannot be interrupted (a sort's comparison, a coroutine of its own): then it ends */
};

static const luaL_Reg libraries[] = {
    {LUA_GNAME, luaopen_base},          {LUA_TABLIBNAME, luaopen_table},  {LUA_STRLIBNAME, luaopen_string},
    {LUA_MATHLIBNAME, luaopen_math},    {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_COLIBNAME, luaopen_coroutine},
};

static lua_State *state;
static lua_State *running; /* the coroutine of the text under way, anchored at index 1 of `state`; NULL: none */
static char *text;
static uint32_t text_size;
static int uncut;

static void *allocate(void *user, void *mem, size_t old_size, size_t size) {
  (void)user, (void)old_size;
  if (size > 0) return realloc(mem, size);
  free(mem);
  return NULL;
}

static void interrupt(lua_State *at, lua_Debug *debug) {
  (void)debug;
  if (at == running && lua_isyieldable(at)) {
    uncut = 0;
    lua_yield(at, 0);
  } else if (++uncut >= kMostUncut) {
    luaL_error(at, "interrupted: this part of the script took too long");
  }
}

/* print(...), a line a call. The pieces are joined on Lua's stack. */
static int print(lua_State *at) {
  const int count = lua_gettop(at);
  luaL_Buffer line;
  luaL_buffinit(at, &line);
  for (int i = 1; i <= count; ++i) {
    if (i > 1) luaL_addchar(&line, '\t');
    luaL_tolstring(at, i, NULL);
    luaL_addvalue(&line);
  }
  luaL_pushresult(&line);
  print_text(PROGRAM_LINE, lua_tostring(at, -1));
  return 0;
}

/* As a protected call: without memory an error comes out of it. */
static int open_libraries(lua_State *at) {
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i) {
    luaL_requiref(at, libraries[i].name, libraries[i].func, 1);
    lua_pop(at, 1);
  }
  lua_register(at, "print", print);
  return 0;
}

uint32_t program_begin(void) {
  state = lua_newstate(allocate, NULL);
  if (state == NULL) return PROGRAM_FAILED;
  lua_pushcfunction(state, open_libraries);
  return lua_pcall(state, 0, 0, 0) == LUA_OK ? PROGRAM_DONE : PROGRAM_FAILED;
}

void program_stop(void) {
  if (running != NULL) {
    lua_closethread(running, state);
    running = NULL;
    lua_settop(state, 0);
  }
  free(text);
  text = NULL;
}

void *program_text(uint32_t size) {
  program_stop();
  text_size = size;
  return text = malloc((size_t)size + 1); /* one more, so that an empty text has an address */
}

uint32_t program_progress(void) { return text == NULL ? 1000 : 0; }

/* On `to`: the text's function, or why it is none. As an expression first. */
static int load_text(lua_State *to) {
  lua_pushliteral(to, "return ");
  lua_pushlstring(to, text, text_size);
  lua_concat(to, 2);
  const char *const expression = lua_tostring(to, -1);
  const int outcome = luaL_loadbufferx(to, expression, lua_rawlen(to, -1), "=text", "t");
  lua_remove(to, -2);
  if (outcome == LUA_OK) return LUA_OK;
  lua_pop(to, 1);
  return luaL_loadbufferx(to, text, text_size, "=text", "t");
}

/* As a protected call: leaves the text's coroutine on the stack. */
static int begin_text(lua_State *at) {
  lua_State *const thread = lua_newthread(at);
  if (load_text(thread) != LUA_OK) {
    lua_xmove(thread, at, 1);
    return lua_error(at);
  }
  lua_sethook(thread, interrupt, LUA_MASKCOUNT, kInstructions);
  return 1;
}

static uint32_t failed(lua_State *with) {
  const char *const message = lua_tostring(with, -1);
  print_text(PROGRAM_ERROR, message != NULL ? message : "an error that is no text");
  program_stop();
  lua_settop(state, 0);
  return PROGRAM_FAILED;
}

/* What the text returned: printed as print would. */
static uint32_t finished(int count) {
  if (count > 0) {
    lua_pushcfunction(state, print);
    lua_xmove(running, state, count);
    if (lua_pcall(state, count, 0, 0) != LUA_OK) return failed(state);
  }
  program_stop();
  return PROGRAM_DONE;
}

uint32_t program_run(void) {
  if (text == NULL) return PROGRAM_DONE;
  if (running == NULL) {
    lua_pushcfunction(state, begin_text);
    if (lua_pcall(state, 0, 1, 0) != LUA_OK) return failed(state);
    running = lua_tothread(state, -1);
    uncut = 0;
  }
  int count = 0;
  const int outcome = lua_resume(running, NULL, 0, &count);
  if (outcome == LUA_YIELD) {
    lua_pop(running, count); /* a coroutine.yield of the text itself: nobody takes what it gives */
    return PROGRAM_MORE;
  }
  if (outcome != LUA_OK) return failed(running);
  return finished(count);
}

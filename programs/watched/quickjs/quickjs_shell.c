/* JavaScript typed by a visitor, run by QuickJS: one runtime, one context, globals stay from text to text. What the text's last
 * expression gives is printed, undefined is not.
 *
 * QuickJS cannot put a text aside and go on later, so a text is one piece; it is interrupted after kMostChecks of QuickJS's own
 * checks, each some ten thousand jumps (watched.W1). Jobs of promises run as pieces of their own. */
#include <stdlib.h>

#include "../program_print.h"
#include "quickjs.h"

enum { kMostChecks = 20000 };

static JSRuntime *runtime;
static JSContext *context;
static char *text;
static uint32_t text_size;
static int evaluated;
static int checks;

static int interrupt(JSRuntime *of, void *user) {
  (void)of, (void)user;
  return ++checks >= kMostChecks;
}

static JSValue print(JSContext *in, JSValueConst self, int count, JSValueConst *values) {
  (void)self;
  JSValue line = JS_NewString(in, "");
  JSValue concat = JS_GetPropertyStr(in, line, "concat");
  JSValueConst parts[32];
  const JSValue space = JS_NewString(in, " ");
  int used = 0;
  for (int i = 0; i < count && used + 2 <= 32; ++i) {
    if (i > 0) parts[used++] = space;
    parts[used++] = values[i];
  }
  const JSValue joined = JS_Call(in, concat, line, used, parts);
  JS_FreeValue(in, space);
  JS_FreeValue(in, concat);
  JS_FreeValue(in, line);
  if (JS_IsException(joined)) return joined;
  const char *const shown = JS_ToCString(in, joined);
  if (shown != NULL) print_text(PROGRAM_LINE, shown);
  JS_FreeCString(in, shown);
  JS_FreeValue(in, joined);
  return shown == NULL ? JS_EXCEPTION : JS_UNDEFINED;
}

uint32_t program_begin(void) {
  runtime = JS_NewRuntime();
  context = runtime == NULL ? NULL : JS_NewContext(runtime);
  if (context == NULL) return PROGRAM_FAILED;
  JS_SetInterruptHandler(runtime, interrupt, NULL);
  JSValue global = JS_GetGlobalObject(context);
  JS_SetPropertyStr(context, global, "print", JS_NewCFunction(context, print, "print", 1));
  JS_FreeValue(context, global);
  return PROGRAM_DONE;
}

void program_stop(void) {
  free(text);
  text = NULL;
}

void *program_text(uint32_t size) {
  program_stop();
  text = malloc((size_t)size + 1);
  if (text == NULL) return NULL;
  text[size] = '\0'; /* JS_Eval wants it */
  text_size = size;
  evaluated = 0;
  return text;
}

uint32_t program_progress(void) { return text == NULL || evaluated ? 1000 : 0; }

static uint32_t failed(JSContext *in) {
  const JSValue error = JS_GetException(in);
  const char *const message = JS_ToCString(in, error);
  print_text(PROGRAM_ERROR, message != NULL ? message : "an error that has no text");
  JS_FreeCString(in, message);
  JS_FreeValue(in, error);
  program_stop();
  return PROGRAM_FAILED;
}

uint32_t program_run(void) {
  if (text == NULL) return PROGRAM_DONE;
  checks = 0;
  if (evaluated) {
    JSContext *in = context;
    const int ran = JS_ExecutePendingJob(runtime, &in);
    if (ran < 0) return failed(in);
    if (ran > 0) return PROGRAM_MORE;
    program_stop();
    return PROGRAM_DONE;
  }
  evaluated = 1;
  JSValue result = JS_Eval(context, text, text_size, "text", JS_EVAL_TYPE_GLOBAL);
  if (JS_IsException(result)) return failed(context);
  JSValue printed = JS_UNDEFINED;
  if (!JS_IsUndefined(result)) printed = print(context, JS_UNDEFINED, 1, &result);
  JS_FreeValue(context, result);
  if (JS_IsException(printed)) return failed(context);
  return PROGRAM_MORE;
}

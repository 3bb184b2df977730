/* QuickJS as an embedder runs it: one runtime over malloc, calloc, realloc and free, one script with print().
 *
 * Not over malloc_usable_size, as QuickJS itself decides on Emscripten: it adds the size up at malloc and takes it off at
 * free, and a block of emmalloc may become larger in between (it takes the gap before an aligned neighbour).
 */
#include <stdio.h>

#include "quickjs.h"

extern const unsigned script_size;
extern const char script[];

static JSValue print(JSContext *context, JSValueConst self, int count, JSValueConst *values) {
  (void)self;
  for (int i = 0; i < count; ++i) {
    const char *text = JS_ToCString(context, values[i]);
    if (text == NULL) return JS_EXCEPTION;
    printf("%s%s", i ? " " : "", text);
    JS_FreeCString(context, text);
  }
  putchar('\n');
  return JS_UNDEFINED;
}

int main(void) {
  JSRuntime *runtime = JS_NewRuntime();
  if (runtime == NULL) return 2;
  JSContext *context = JS_NewContext(runtime);
  JSValue global = JS_GetGlobalObject(context);
  JS_SetPropertyStr(context, global, "print", JS_NewCFunction(context, print, "print", 1));
  JS_FreeValue(context, global);
  JSValue result = JS_Eval(context, script, script_size, "script.js", JS_EVAL_TYPE_GLOBAL);
  const int failed = JS_IsException(result);
  if (failed) {
    JSValue error = JS_GetException(context);
    const char *text = JS_ToCString(context, error);
    printf("error: %s\n", text ? text : "?");
    JS_FreeCString(context, text);
    JS_FreeValue(context, error);
  }
  JS_FreeValue(context, result);
  JS_FreeContext(context);
  JS_FreeRuntime(runtime);
  return failed;
}

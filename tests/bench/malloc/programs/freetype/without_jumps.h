/* FreeType's names of the standard library, without jumps: they would need JavaScript or exceptions beside the module.
 * It jumps where a character map is wrong and where a glyph has more cells than its pool; neither happens with the font
 * and the sizes here, and either would end the program. */
#include <freetype/config/ftstdlib.h>

#undef ft_jmp_buf
#undef ft_setjmp
#undef ft_longjmp
#define ft_jmp_buf int
#define ft_setjmp(buffer) 0
#define ft_longjmp(buffer, value) __builtin_trap()

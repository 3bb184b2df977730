/* Oniguruma includes a file of this name. What would be in it is in the flags (program.mjs), which a build looks at. */

import path from "node:path";

/** In the place of `node:path`: what a program on Windows gets from it. */
export const { basename, delimiter, dirname, extname, isAbsolute, join, normalize, parse, relative, resolve, sep } =
  path.win32;

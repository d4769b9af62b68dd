import type { OfText } from './text-functions.ts'

/** Functions of a module that take nothing but the text. */
export const plain = (path: string, module: object, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`${path} ${name}`, (module as Record<string, OfText>)[name]!]))

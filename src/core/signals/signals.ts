/**
 * The ordered table of signals. A score is the sum of their amounts in this order (law G3), each value × weight.
 */
import { cosine } from './cosine.ts'
import { lexical } from './lexical.ts'
import { meaning } from './meaning.ts'
import { paths } from './paths.ts'
import { recent } from './recent.ts'
import type { Signal } from './signal.ts'
import { terms } from './terms.ts'

export const signals: readonly Signal[] = [lexical, meaning, cosine, terms, paths, recent]

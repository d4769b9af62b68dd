/**
 * Migration 14: text becomes words by another table (`core/text/tokenise/index-form.ts`): compatible letters, more scripts without spaces, signs,
 * symbols, and numbers in their canonical form. The text index, the vocabulary and the word forms are written again.
 */
import type { Migration } from './migration.ts'

export const words: Migration = { version: 14, statements: () => [`DROP TABLE record_fts`] }

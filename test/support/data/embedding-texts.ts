/** Two hundred texts that reach every branch of the built-in embedder's tokeniser; the same ones in every run. */

const subjects = [
  'The parser',
  'Café São Paulo',
  'ICH_BIN_GROẞ',
  "O'Reilly's",
  'Ἀθήνα',
  '北京大学',
  'naïveté',
  'node:fs/promises',
]
const verbs = [
  'fails',
  'rebuilds',
  'doesn’t matter',
  're-indexes',
  'caches 1,024',
  '≠',
  'antidisestablishmentarianism',
  'İstanbul',
]
const objects = [
  'on TS2307: Cannot find module "./x.ts".',
  'with a 🤔 and a 👩‍👩‍👧‍👦 (emoji)',
  'at src/core/text/extract.ts:42:7',
  '½ of the ﬁnal résumé\tand\u00a0more',
  'हिन्दी ไทย 한국어 العربية',
]

/**
 * The first are edge cases (nothing, blanks, one sign, an unknown word, a word longer than any piece); then sentences.
 */
export const embeddingTexts: readonly string[] = [
  '',
  ' \n\t',
  '!',
  '\u{1F9FF}',
  'x'.repeat(5_000),
  'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(40),
  'a\u0301\u0301\u0301 e\u0301galite\u0301',
  '[CLS] [SEP] ##ing [unused1]',
  ...subjects.flatMap((subject, i) =>
    verbs.flatMap((verb, j) =>
      [0, 1, 2].map((shift) => `${subject} ${verb} ${objects[(i + j + shift) % objects.length]}`),
    ),
  ),
]

/** SHA-256 over the vectors of all texts, made by the code the model was trained with. */
export const embeddingHash = '28d351f2187c1000270d2d594dd349eae8f91174da1be84f469fdd1c4f62cb3b'

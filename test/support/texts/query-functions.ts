/** Every function of core's `query` that reads text, each as a function of one text. */

import { policies } from '../../../src/core/policies/policies.ts'
import { allWords } from '../../../src/core/query/all-words.ts'
import { isFlag } from '../../../src/core/query/flags.ts'
import { heldBackBy } from '../../../src/core/query/held-back.ts'
import * as apostrophes from '../../../src/core/query/apostrophes.ts'
import * as joinedWords from '../../../src/core/query/joined-words.ts'
import * as knownWords from '../../../src/core/query/known-words.ts'
import { nameTermsOf } from '../../../src/core/query/name-terms.ts'
import { wordsOfRecord } from '../../../src/core/query/words-of-record.ts'
import * as parseAbout from '../../../src/core/query/parse-about.ts'
import * as parseAssemble from '../../../src/core/query/parse-assemble.ts'
import * as parseQuery from '../../../src/core/query/parse-query.ts'
import * as parseText from '../../../src/core/query/parse-text.ts'
import * as phrases from '../../../src/core/query/phrases.ts'
import { quotedSpans } from '../../../src/core/query/quoted-spans.ts'
import * as signs from '../../../src/core/query/read-signs.ts'
import { foldTitle, readBeginning } from '../../../src/core/query/suggested-beginning.ts'
import { synonymsIn, synonymTable } from '../../../src/core/query/synonyms.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { tokenise } from '../../../src/core/text/tokenise/tokenise.ts'
import { plain } from './plain-functions.ts'
import type { OfText } from './text-functions.ts'

export const queryFunctions: Readonly<Record<string, OfText>> = {
  'query/all-words.ts allWords': (text) => allWords(text, 'porter'),
  'query/words-of-record.ts wordsOfRecord': (text) =>
    wordsOfRecord({ title: text, summary: null, body: text }, 1_000, () => 1),
  'query/parse-about.ts parseAbout': (text) => parseAbout.parseAbout({ text }),
  'query/parse-about.ts subjectWords': (text) => parseAbout.subjectWords(text),
  'query/parse-assemble.ts cuesWithText': (text) => parseAssemble.cuesWithText({ a: text }, text),
  'query/parse-assemble.ts parseAssembleRequest': (text) =>
    parseAssemble.parseAssembleRequest({ cues: { [text]: text } }),
  'query/parse-assemble.ts parseAssessRequest': (text) => parseAssemble.parseAssessRequest({ text, cues: { a: text } }),
  'query/parse-query.ts parseRecallQuery': (text) => parseQuery.parseRecallQuery({ text }),
  'query/quoted-spans.ts quotedSpans': quotedSpans,
  'query/name-terms.ts nameTermsOf': (text) => nameTermsOf(text, tokenise(text), (word) => word, -1),
  ...plain('query/known-words.ts', knownWords, 'isKnownWord basesOf'),
  'query/known-words.ts placeOfWord': (text) => knownWords.placeOfWord(text, 100),
  'query/known-words.ts areOfOneFamily': (text) => knownWords.areOfOneFamily(text, `${text}y`),
  ...plain('query/apostrophes.ts', apostrophes, 'isApostrophe cutsAtApostrophe'),
  'query/apostrophes.ts holdsWithApostrophe': (text) => apostrophes.holdsWithApostrophe(text, ['a', 'b'], true),
  'query/flags.ts isFlag': (text) => isFlag({ word: text, before: text }),
  'query/read-signs.ts readSigns': signs.readSigns,
  'query/read-signs.ts withoutHeldBack': (text) => signs.withoutHeldBack(text),
  'query/held-back.ts heldBackBy': (text) => heldBackBy([text, ...text.slice(0, 4_096).split(' ')]),
  'query/joined-words.ts jointsOf': (text) => joinedWords.jointsOf(text, tokenise(text)),
  'query/joined-words.ts joinedForm': (text) => joinedWords.joinedForm(text, tokenise(text)),
  ...plain('query/joined-words.ts', joinedWords, 'writtenApart partsOf hasInnerCapital cutsOf'),
  'query/joined-words.ts cutsOfTerm': (word) =>
    joinedWords.cutsOfTerm({ phrase: `"${word}"`, word, stems: [word], weight: 1, mayBeCut: true }),
  'query/parse-text.ts stopWeight': (text) => parseText.stopWeight(text, policies.balanced.lexical),
  // It stems the word with some 200 endings.
  'query/parse-text.ts typedTerm': (text) => parseText.typedTerm(text.slice(0, text.length / 8), 'porter'),
  'query/parse-query.ts parseSuggest': (text) => parseQuery.parseSuggest(text),
  'query/suggested-beginning.ts readBeginning': readBeginning,
  'query/suggested-beginning.ts foldTitle': foldTitle,
  'query/phrases.ts quote': phrases.quote,
  'query/phrases.ts inFields': (text) => phrases.inFields(text, ['title']),
  'query/phrases.ts isUnspaced': phrases.isUnspaced,
  'query/phrases.ts isLoneLetter': (text) => phrases.isLoneLetter([text]),
  'query/synonyms.ts synonymTable': (text) => synonymTable({ [text]: [text] }, 'none', (word) => word),
  'query/synonyms.ts synonymsIn': (text) => {
    const table = synonymTable({ a: ['b'], 'a b c': ['d'] }, 'porter', stem)
    return synonymsIn(text, tokenise(text), table, stem, -1)
  },
  'query/parse-text.ts matchExpression': parseText.matchExpression,
  'query/parse-text.ts parseText': (text) => {
    // Words and runs.
    for (const { lexical } of [policies.balanced, policies.ctxsift])
      parseText.parseText(text, { prefix: 'last', stemmer: 'porter', lexical })
  },
}

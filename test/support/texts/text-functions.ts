/**
 * Every function of core that reads text, each as a function of one text, for tests that apply to all of them. A
 * function in one of the folders that is missing here and in untimed-functions.ts makes `unit/text/linear-text.test.ts` fail.
 */

import { fitBudget } from '../../../src/core/assemble/budget.ts'
import { formatterOf } from '../../../src/core/assemble/formats.ts'
import { longRecordOf } from '../../../src/core/assemble/long-records.ts'
import { orderingHints } from '../../../src/core/assemble/ordering-hints.ts'
import { laterOn } from '../../../src/core/assemble/standing-places.ts'
import { changeOf, stemsOfClauses } from '../../../src/core/changes/change-of.ts'
import { clausesOf } from '../../../src/core/changes/clauses.ts'
import { createExistenceFilter, hashOf } from '../../../src/core/collections/existence-filter.ts'
import * as embeddingText from '../../../src/core/ingest/embedding-text.ts'
import { messagesToRecords } from '../../../src/core/ingest/messages-to-records.ts'
import * as parseFields from '../../../src/core/ingest/parse-fields.ts'
import * as parseLists from '../../../src/core/ingest/parse-lists.ts'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { splitTurn } from '../../../src/core/ingest/split-turn.ts'
import { standingOf } from '../../../src/core/ingest/standing-cues.ts'
import { contextFormats } from '../../../src/core/model/assemble.ts'
import { addHint, preview, problemOf, recallError } from '../../../src/core/model/errors.ts'
import { parseLanguage, parseLanguages } from '../../../src/core/model/languages.ts'
import { meantBy, nearest, suggestName } from '../../../src/core/model/nearest.ts'
import type { StoredRecord } from '../../../src/core/model/record.ts'
import { formatAuthorityBlock } from '../../../src/core/present/authority-block.ts'
import * as escape from '../../../src/core/present/escape.ts'
import { hitPassage } from '../../../src/core/present/hit-passages.ts'
import { matcherOf } from '../../../src/core/present/matches.ts'
import * as passagePlace from '../../../src/core/present/passage-place.ts'
import { formatRecallBlocks } from '../../../src/core/present/recall-blocks.ts'
import { reflectPrompt } from '../../../src/core/present/reflect-prompt.ts'
import { marksOf, snippet, snippetOfCodePoints, snippetOfMatches } from '../../../src/core/present/snippet.ts'
import { readRequest } from '../../../src/core/said/read-request.ts'
import { quoted } from '../../../src/core/present/change-reasons.ts'
import * as statements from '../../../src/core/present/statements.ts'
import * as readTurn from '../../../src/core/said/read-turn.ts'
import * as topics from '../../../src/core/said/topics.ts'
import { contradictionOf } from '../../../src/core/similarity/contradicts.ts'
import * as letterPairs from '../../../src/core/similarity/letter-pairs.ts'
import * as nearDuplicate from '../../../src/core/similarity/near-duplicate.ts'
import { valuesIn } from '../../../src/core/similarity/statement-values.ts'
import * as wording from '../../../src/core/similarity/statement-wording.ts'
import { statementsOf } from '../../../src/core/similarity/statements.ts'
import { chunkText } from '../../../src/core/text/chunk.ts'
import { claimsOf } from '../../../src/core/text/extract/claims.ts'
import { extractTerms } from '../../../src/core/text/extract/extract.ts'
import { findCommands } from '../../../src/core/text/extract/extract-commands.ts'
import { findFrames } from '../../../src/core/text/extract/extract-frames.ts'
import { findPackages } from '../../../src/core/text/extract/extract-packages.ts'
import { findPaths, hasFileEnding } from '../../../src/core/text/extract/extract-paths.ts'
import { runsAround } from '../../../src/core/text/extract/extract-runs.ts'
import { findSymbols, isPluginRule } from '../../../src/core/text/extract/extract-symbols.ts'
import { findTests } from '../../../src/core/text/extract/extract-tests.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { compareCodePoints } from '../../../src/core/text/hash/code-point-order.ts'
import { contentHash } from '../../../src/core/text/hash/content-hash.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { fromTypedJson, toTypedJson } from '../../../src/core/text/hash/typed-json.ts'
import { blocksOf } from '../../../src/core/text/passages/blocks.ts'
import { passageBorders } from '../../../src/core/text/passages/passage-borders.ts'
import { piecesOf } from '../../../src/core/text/passages/pieces.ts'
import { sentenceStarts } from '../../../src/core/text/passages/sentences.ts'
import * as passages from '../../../src/core/text/passages/split-passages.ts'
import { findSecrets, redactSecrets } from '../../../src/core/text/redact-secrets.ts'
import { completions } from '../../../src/core/text/tokenise/completions.ts'
import { isOtherScript, isPlainlyEnglish } from '../../../src/core/text/tokenise/guess-english.ts'
import { guessLanguages } from '../../../src/core/text/tokenise/guess-language.ts'
import * as indexForm from '../../../src/core/text/tokenise/index-form.ts'
import * as irregular from '../../../src/core/text/tokenise/irregular-forms.ts'
import { groupsOf } from '../../../src/core/text/tokenise/number-groups.ts'
import * as runs from '../../../src/core/text/tokenise/path-tokens.ts'
import * as signWords from '../../../src/core/text/tokenise/sign-words.ts'
import { stem } from '../../../src/core/text/tokenise/stem.ts'
import { foldLetters } from '../../../src/core/text/tokenise/fold-letters.ts'
import { foldWord, lastLetters, tokenise, wordForm } from '../../../src/core/text/tokenise/tokenise.ts'
import { trimEndOf } from '../../../src/core/text/tokenise/trim.ts'
import { wellFormed } from '../../../src/core/text/tokenise/well-formed.ts'
import { withPlainDigits } from '../../../src/core/text/tokenise/compatible-letters.ts'
import { writtenNumbers } from '../../../src/core/text/tokenise/written-numbers.ts'
import { writtenWords } from '../../../src/core/text/tokenise/written-words.ts'
import { estimateTokens } from '../../../src/core/text/tokens/token-count.ts'
import { priceOfLetters } from '../../../src/core/text/tokens/token-words.ts'
import { plain } from './plain-functions.ts'
import { queryFunctions } from './query-functions.ts'
import { timeFunctions } from './time-functions.ts'

export type OfText = (text: string) => unknown

/** `folder/module.ts function`: the function, with the text as the argument it reads. */
const findMatches = matcherOf({ stems: new Set(['a', 'not']), prefix: 'a' })

export const textFunctions: Readonly<Record<string, OfText>> = {
  ...queryFunctions,
  ...timeFunctions,
  'text/hash/canonical.ts canonicalJson': (text) => canonicalJson({ [text]: [text] }),
  'text/chunk.ts chunkText': (text) => chunkText(text),
  'text/passages/split-passages.ts splitPassages': (text) => passages.splitPassages(text),
  'text/passages/passage-borders.ts passageBorders': (text) => passageBorders(text),
  'text/passages/blocks.ts blocksOf': (text) => blocksOf(text),
  'text/passages/pieces.ts piecesOf': (text) => piecesOf(text, passages.passageLengths),
  'text/passages/sentences.ts sentenceStarts': (text) => sentenceStarts(text, 0, text.length),
  'text/extract/claims.ts claimsOf': claimsOf,
  // It stems each word with some 200 endings.
  'text/tokenise/completions.ts completions': (text) => completions(text.slice(0, text.length / 8)),
  'text/hash/content-hash.ts contentHash': (body) => contentHash({ body }),
  'text/extract/extract-commands.ts findCommands': (text) => [...findCommands(text)],
  'text/extract/extract-frames.ts findFrames': (text) => [...findFrames(text)],
  'text/extract/extract-packages.ts findPackages': (text) => [...findPackages(text)],
  'text/extract/extract-paths.ts findPaths': (text) => [...findPaths(text)],
  'text/extract/extract-paths.ts hasFileEnding': hasFileEnding,
  'text/extract/extract-runs.ts runsAround': (text) => [
    ...runsAround(text, /[a.]/g, (unit) => unit < 0x80 && unit !== 0x20),
  ],
  'text/extract/extract-symbols.ts findSymbols': (text) => [...findSymbols(text)],
  'text/extract/extract-symbols.ts isPluginRule': isPluginRule,
  'text/extract/extract-tests.ts findTests': (text) => [...findTests(text)],
  'text/extract/extract.ts extractTerms': extractTerms,
  'text/hash/code-point-order.ts compareCodePoints': (text) => compareCodePoints(text, `${text}a`),
  'text/redact-secrets.ts findSecrets': findSecrets,
  'text/redact-secrets.ts redactSecrets': redactSecrets,
  'text/tokenise/guess-english.ts isOtherScript': isOtherScript,
  'text/tokenise/guess-english.ts isPlainlyEnglish': isPlainlyEnglish,
  'text/tokenise/guess-language.ts guessLanguages': (text) => guessLanguages(text, new Map([['en', new Set(['a'])]])),
  'model/languages.ts parseLanguage': (text) => refused(() => parseLanguage(text, 'language', 'INVALID_RECORD')),
  'model/languages.ts parseLanguages': (text) => refused(() => parseLanguages([text])),
  'text/tokenise/number-groups.ts groupsOf': groupsOf,
  'text/tokenise/path-tokens.ts ctxsiftTerms': runs.ctxsiftTerms,
  'text/tokenise/path-tokens.ts foldForRuns': runs.foldForRuns,
  'text/tokenise/path-tokens.ts runEnd': (text) => runs.runEnd(text, 0),
  'text/hash/typed-json.ts toTypedJson': (text) => toTypedJson({ [text]: text }),
  'text/hash/typed-json.ts fromTypedJson': (text) => fromTypedJson({ [`a${text}`]: text }),
  'text/hash/sha256.ts sha256Hex': (text) => sha256Hex(text),
  'present/snippet.ts snippet': (text) => [snippet(text, new Set(['a', 'not'])), snippet(text, new Set(), 240, 'a')],
  'present/matches.ts matcherOf': (text) => findMatches(text),
  'present/snippet.ts marksOf': (text) => marksOf(findMatches(text), 1000),
  'present/snippet.ts snippetOfMatches': (text) => snippetOfMatches(text, findMatches(text), 240),
  'present/snippet.ts snippetOfCodePoints': (text) => [
    snippetOfCodePoints(text, findMatches(text), 240),
    snippetOfCodePoints(text, matcherOf({ stems: new Set(), prefix: 'a' })(text), text.length >> 1),
  ],
  'text/tokenise/stem.ts stem': stem,
  'text/tokens/token-count.ts estimateTokens': estimateTokens,
  'text/tokens/token-words.ts priceOfLetters': (text) => priceOfLetters(text, 0, text.length, 'spaced'),
  'text/tokenise/fold-letters.ts foldLetters': foldLetters,
  'text/tokenise/tokenise.ts foldWord': foldWord,
  'text/tokenise/tokenise.ts wordForm': wordForm,
  'text/tokenise/tokenise.ts lastLetters': lastLetters,
  'text/tokenise/tokenise.ts tokenise': tokenise,
  'text/tokenise/trim.ts trimEndOf': (text) => trimEndOf(text, new Set('. a')),
  'text/tokenise/well-formed.ts wellFormed': wellFormed,
  'text/tokenise/written-words.ts writtenWords': (text) => writtenWords([text]),
  'ingest/messages-to-records.ts messagesToRecords': (content) =>
    messagesToRecords([{ role: 'user', content }], { session: 'a' }),
  'ingest/standing-cues.ts standingOf': (body) => standingOf({ title: null, summary: null, body, instruction: null }),
  'ingest/split-turn.ts splitTurn': (text) => splitTurn(text, 20),
  'ingest/embedding-text.ts embeddingChunks': (body) => embeddingText.embeddingChunks({ title: 'a', body }),
  'ingest/parse-fields.ts utf8Length': parseFields.utf8Length,
  'ingest/parse-fields.ts requiredString': (text) => parseFields.requiredString(text, 'a', Number.MAX_SAFE_INTEGER),
  'ingest/parse-fields.ts optionalString': (text) =>
    parseFields.optionalString({ text }, 'text', { maxLength: Number.MAX_SAFE_INTEGER, blank: 'refuse' }),
  'ingest/parse-fields.ts parseMetadata': (text) => parseFields.parseMetadata({ a: text.slice(0, 4_000) }),
  'ingest/parse-fields.ts parseObject': (text) => parseFields.parseObject({ [text]: 1 }, 'record', new Set(['body'])),
  'ingest/parse-fields.ts refuse': (text) => parseFields.refuse(text, text, text, text),
  'ingest/parse-lists.ts mergeFiles': (text) => parseLists.mergeFiles([], extractTerms(text)),
  'ingest/parse-lists.ts mergeTerms': (text) => parseLists.mergeTerms([], extractTerms(text)),
  'ingest/parse-record.ts parseRecord': (body) => parseRecord({ body: `${body} end`, createdAt: 0 }),
  ...plain('text/tokenise/index-form.ts', indexForm, 'indexForm needsIndexForm furtherWords furtherTokens'),
  ...plain('text/tokenise/sign-words.ts', signWords, 'signWords isSignWord'),
  'text/tokenise/compatible-letters.ts withPlainDigits': withPlainDigits,
  'text/tokenise/written-numbers.ts writtenNumbers': writtenNumbers,
  ...plain('text/tokenise/irregular-forms.ts', irregular, 'irregularFormsOf exactForm exactForms'),
  'present/authority-block.ts formatAuthorityBlock': (text) =>
    formatAuthorityBlock([{ text, authorityTier: 'a' }, { text }], {
      rules: text.slice(0, 1_000),
      tiers: [{ id: 'a', priority: 1 }],
    }),
  ...plain('present/escape.ts', escape, 'countHidden escapeItem escapeLine escapeText showHidden showLine'),
  'present/escape.ts escapeJson': (text) => escape.escapeJson(JSON.stringify(text)),
  'present/escape.ts showAll': (text) => escape.showAll([text]),
  'present/escape.ts readShown': (text) => escape.readShown(escape.showHidden(text)),
  'present/escape.ts showJson': (text) => escape.showJson(JSON.stringify(text)),
  'present/recall-blocks.ts formatRecallBlocks': (text) =>
    formatRecallBlocks([{ id: 'a', status: 'fresh', score: 1, createdAt: 0, text, instruction: text, files: [text] }], {
      now: 0,
    }),
  'present/reflect-prompt.ts reflectPrompt': (text) => reflectPrompt({ query: text, hits: [{ text }] }),
  'assemble/budget.ts fitBudget': (text) => {
    const segments = [text, ...text.slice(0, 2_000).split(/(?<=\s)/)]
    const order = segments.map((_, i) => i)
    const formatter = formatterOf('content', 0)
    return fitBudget(segments, order, { formatter, countTokens: estimateTokens, maxTokens: 200, overflow: 'skip' })
  },
  'assemble/formats.ts formatterOf': (text) =>
    contextFormats.map((format) => {
      const formatter = formatterOf(format, 0)
      return formatter.wrap([formatter.segment({ record: recordOf(text), score: 1, freshness: 'fresh', matched: [] })])
    }),
  'assemble/long-records.ts longRecordOf': (text) =>
    longRecordOf({ record: recordOf(text), passage: { from: 0, to: 1, heading: null }, marks: {} }),
  'assemble/standing-places.ts laterOn': (text) => laterOn(recordOf(text), [recordOf(text)]),
  'present/hit-passages.ts hitPassage': (text) => hitPassage(text, { from: 0, to: text.length, heading: null }),
  'present/passage-place.ts codePoints': (text) => passagePlace.codePoints(text, 0, text.length),
  'present/passage-place.ts passageText': (text) => passagePlace.passageText(text, { from: 0, to: text.length }),
  'said/read-request.ts readRequest': (text) => readRequest(text),
  'present/change-reasons.ts quoted': (text) => quoted(recordOf(text)),
  'present/statements.ts sortStatements': (text) =>
    statements.sortStatements([recordOf(text)], { now: 0, agreements: [] }),
  'present/statements.ts statesFact': (text) => statements.statesFact(recordOf(text), true),
  'said/read-turn.ts utteranceOf': (text) => readTurn.utteranceOf(text),
  'said/read-turn.ts isSmallTalk': (text) => readTurn.isSmallTalk(text),
  'said/read-turn.ts wordsOf': (text) => readTurn.wordsOf(text),
  'said/topics.ts topicsOf': (text) => topics.topicsOf(text),
  'assemble/ordering-hints.ts orderingHints': (text) => orderingHints([recordOf(text)], new Set(), 0),
  'collections/existence-filter.ts hashOf': (text) => hashOf(text, 1),
  'collections/existence-filter.ts createExistenceFilter': (text) => {
    const filter = createExistenceFilter({ capacity: 1_000, errorRate: 0.01 })
    filter.add(text)
    return filter.mightExist(`${text}a`)
  },
  'similarity/letter-pairs.ts letterPairs': letterPairs.letterPairs,
  'similarity/near-duplicate.ts isNearDuplicate': (text) => nearDuplicate.isNearDuplicate(text, 'a b c'),
  'similarity/near-duplicate.ts similarity': (text) =>
    nearDuplicate.similarity({ words: [...text], claims: '' }, { words: [...text, 'a'], claims: '' }),
  'similarity/near-duplicate.ts textSignature': (text) => nearDuplicate.textSignature(text).claims,
  'changes/clauses.ts clausesOf': (text) => clausesOf(text),
  'changes/change-of.ts changeOf': (text) => changeOf(clausesOf(text), clausesOf(text)),
  'changes/change-of.ts stemsOfClauses': (text) => stemsOfClauses(clausesOf(text)),
  'similarity/contradicts.ts contradictionOf': (text) => {
    const statements = statementsOf(text)
    return contradictionOf(statements, statements, () => 1)
  },
  'similarity/statement-values.ts valuesIn': valuesIn,
  ...plain('similarity/statement-wording.ts', wording, 'isLight reportsChange negates isAboutWriter startsOfDenials'),
  'similarity/statements.ts statementsOf': statementsOf,
  'model/errors.ts addHint': (text) => addHint(recallError('ABORTED', text, { hint: text }), text),
  'model/errors.ts preview': preview,
  'model/errors.ts problemOf': (text) => problemOf({ message: `${text} ${text}`, hint: text }),
  'model/nearest.ts meantBy': (text) => meantBy(text, ['body', 'title'], 'record'),
  'model/nearest.ts nearest': (text) => nearest(text, ['body', 'title']),
  'model/nearest.ts suggestName': (text) => suggestName(text, ['body', 'title'], 'record'),
}

/** A record of this text. */
export function recordOf(text: string): StoredRecord {
  return {
    ...({
      kind: 'note',
      exitCode: null,
      tags: ['a'],
      source: 'a',
      authority: null,
      createdAt: 0,
      metadata: { role: 'user' },
    } as unknown as StoredRecord),
    id: 'a',
    title: null,
    summary: null,
    body: text,
    instruction: null,
    command: text,
    reasons: [],
    risks: [],
    files: [{ path: text, sha256: null, mtime: null, existed: true, git: null, declared: true }],
  }
}

/** The error of a check that refuses the text, which it must also build in linear time. */
function refused(check: () => unknown): unknown {
  try {
    return check()
  } catch (error) {
    return error
  }
}

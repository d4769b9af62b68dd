/**
 * The golden store: 300 records in many scripts and 51 questions, the same in every engine. It imports nothing of Node
 * and asks through two methods, so that a browser test runs it over the public client and compares the same hashes (D1).
 */
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { Receipt, RecallResult } from '../../../src/core/model/result.ts'
import { balanced } from '../../../src/core/policies/balanced.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { createRandom } from '../data/random.ts'

/** The clock of every request (ms), and the space the store must be opened with. */
export const goldenNow = Date.UTC(2026, 2, 1)
export const goldenSpace = { name: 'golden', dimensions: 32 } as const

export interface GoldenStore {
  put(records: readonly RecordInput[]): Promise<unknown>
  forget(ids: readonly string[]): Promise<unknown>
  recall(query: RecallQuery): Promise<RecallResult>
}

/**
 * Fills an empty store and asks everything: one line a question, `<sha256 of the canonical answer>  <name>`. The receipts name the policy by
 * its hash, so they have a line of their own: a constant of a policy changes the other lines only where it changes an answer.
 */
export async function goldenLines(store: GoldenStore): Promise<string[]> {
  const records = goldenRecords()
  for (let from = 0; from < records.length; from += 50) await store.put(records.slice(from, from + 50))
  await store.forget(['g7', 'g77', 'g177'])
  const lines: string[] = []
  const receipts: Receipt[] = []
  for (const [name, query] of goldenQueries()) {
    const { receipt, ...answer } = await store.recall({ ...query, ledger: true })
    lines.push(`${sha256Hex(goldenBytes(answer))}  ${name}`)
    receipts.push(receipt)
  }
  return [...lines, `${sha256Hex(canonicalJson(receipts))}  the receipts`]
}

/** `canonical(result)`: everything except the time it took. */
export function goldenBytes({ tookMs: _tookMs, ...result }: Omit<RecallResult, 'receipt'>): string {
  return canonicalJson(result)
}

export function goldenRecords(): RecordInput[] {
  const random = createRandom(300)
  const records = Array.from({ length: 300 }, (_, i): RecordInput => {
    const words = () => Array.from({ length: 4 + random.below(30) }, () => random.pick(vocabulary)).join(' ')
    const createdAt = goldenNow - random.below(400) * dayMs
    return {
      id: `g${i}`,
      kind: random.pick(['note', 'decision', 'interaction']),
      project: random.pick(['jay', 'wren', null]),
      session: i % 2 === 0 ? `talk ${i % 5}` : null,
      position: i % 14 === 0 ? null : ((i * 7) % 40) - 9,
      title: random.below(3) === 0 ? random.pick(vocabulary) : null,
      body: `${words()} ${random.pick(passages)} ${words()}`,
      instruction: random.below(5) === 0 ? words() : null,
      command: random.below(6) === 0 ? random.pick(['npm run build', 'cargo test --all', 'git rebase -i']) : null,
      tags: random.shuffled(['blue', 'grün', '緑', '🪶']).slice(0, random.below(3)),
      files: random.below(4) === 0 ? [{ path: random.pick(['src/nest.ts', 'lib/vogel/ei.py', 'README.md']) }] : [],
      reasons: random.below(9) === 0 ? [{ code: 'user_pinned', weight: random.next() }] : [],
      risks: random.below(9) === 0 ? [{ flag: 'governance_applies' }] : [],
      status: random.below(12) === 0 ? random.pick(['superseded', 'deprecated', 'proposed'] as const) : 'active',
      expiresAt: random.below(15) === 0 ? goldenNow + (random.below(60) - 30) * dayMs : null,
      metadata: { size: random.below(5), name: random.pick(['ä', 'z', '😀', 'ﬁ']) },
      createdAt,
      updatedAt: createdAt + random.below(3) * dayMs,
      ...vectorsOf(i),
    }
  })
  // The same text under another id and in another tier, and a text of many chunks.
  return records.map((record, i) => {
    if (i % 20 === 19) return { ...record, ...contentOf(records[i - 10]!) }
    if (i % 50 === 33) return { ...record, ...contentOf(records[i - 10]!), authorityTier: 'canon' }
    return record
  })

  function vectorsOf(i: number): Pick<RecordInput, 'vectors'> {
    if (i % 10 === 9) return {}
    if (i % 10 === 4) return { vectors: [random.vector(32), random.vector(32), random.vector(32)] }
    return { vectors: i % 60 === 7 ? new Float32Array(32) : random.vector(32) }
  }
}

function contentOf({ title, summary, body, instruction, command }: RecordInput): Partial<RecordInput> {
  return { title, summary, body, instruction, command }
}

const dayMs = 86_400_000

const vocabulary = (
  'jay nest acorn cache feather winter forest memory remembered remembering recall query index vector token engine ' +
  'browser worker storage offline budget decision reason running runs ran quickly happily national relational the a ' +
  'is of and not café naïve Ångström straße größer Übermut señor œuvre дерево память птица λόγος μνήμη זיכרון ذاكرة ' +
  '鳥 記憶 図書館 検索エンジン 기억 도서관 새 ความจำ นก ﬁn Ⅷ ½ x² 🐦 🪶 👩‍🔬 42 3.14 2026-03-01 v1.2.3'
).split(' ')

const passages = [
  'Error: Cannot find module "left-pad" at resolve (/app/src/nest.ts:12:5)',
  'File "/srv/lib/vogel/ei.py", line 7, in lay_egg raised EggError: shell too thin',
  'TypeError TS2307 in src/nest.ts while running npm run build',
  'thread panicked at src/branch/twig.rs:88:13 in forest::twig::snap',
  'export const nest = createNest({ eggs: 4 }) // see README.md',
  'tests/test_nest.py::test_hatches FAILED after 3.14 s',
  '北京的图书馆很大，里面有很多书。',
  '東京の図書館で記憶の本を借りた。',
  '서울 도서관에서 기억에 관한 책을 빌렸다.',
  'ห้องสมุดมีหนังสือเกี่ยวกับความจำ',
  'Die Vögel merken sich, was, wo und wann sie versteckt haben.',
  'Птицы помнят, где спрятаны жёлуди.',
  '“Quoted words” — and \u0000 a NUL, a \u200b zero width, an e\u0301 apart.',
]

/** Name and question; built again on each call, as clients may transfer vectors away. */
export function goldenQueries(): readonly (readonly [string, RecallQuery])[] {
  const random = createRandom(44)
  const vector = () => random.vector(32)
  return [
    ['one word', { text: 'acorn' }],
    ['three words', { text: 'winter forest cache' }],
    ['a stemmed word', { text: 'remembers nationally' }],
    ['stop words only', { text: 'is the of and' }],
    ['a question', { text: 'where does the jay remember its cache?' }],
    ['repeated words', { text: 'nest nest nest acorn' }],
    ['a phrase', { text: '"memory recall"' }],
    ['an unclosed phrase', { text: 'feather "winter' }],
    ['a prefix', { text: 'recall rem', prefix: 'last' }],
    ['diacritics', { text: 'cafe ANGSTROM größer' }],
    ['Greek and Cyrillic', { text: 'ΜΝΉΜΗ птица' }],
    ['Hebrew and Arabic', { text: 'זיכרון ذاكرة' }],
    ['Chinese', { text: '图书馆' }],
    ['Japanese', { text: '図書館で記憶' }],
    ['Korean', { text: '도서관' }],
    ['Thai', { text: 'ความจำ' }],
    ['emoji', { text: '🐦 🪶' }],
    ['symbols', { text: '*** ^^^ "" NEAR( AND' }],
    ['MATCH syntax', { text: 'title: nest* NOT (acorn OR feather)' }],
    ['a path', { text: 'what broke in src/nest.ts?' }],
    ['the end of a path', { text: 'vogel/ei.py' }],
    ['a symbol', { text: 'EggError' }],
    ['a package', { text: "Cannot find module 'left-pad'" }],
    ['a test', { text: 'tests/test_nest.py::test_hatches' }],
    ['code', { text: 'createNest({ eggs: 4 })' }],
    ['a vector', { vector: vector() }],
    ['a vector, all of them', { vector: vector(), limit: 1000 }],
    ['a zero vector', { vector: new Float32Array(32) }],
    ['text and vector', { text: 'memory engine', vector: vector() }],
    ['text and vector, explained', { text: '記憶', vector: vector(), explain: true, limit: 20 }],
    ['a tag', { text: 'memory', scope: { tags: { all: ['緑'] } } }],
    ['tags and a vector', { vector: vector(), scope: { tags: { any: ['blue', '🪶'], none: ['grün'] } } }],
    ['a project and kinds', { text: 'query', scope: { project: 'jay', kind: ['note', 'decision'] } }],
    ['a time', { text: 'token', scope: { time: { after: goldenNow - 90 * dayMs, before: goldenNow } } }],
    ['superseded ones', { text: 'engine', scope: { status: ['superseded', 'deprecated'] } }],
    ['ids', { text: 'jay', scope: { ids: ['g1', 'g2', 'g3', 'g250'] } }],
    ['as of a year ago', { text: 'worker', asOf: goldenNow - 200 * dayMs }],
    ['much later', { text: 'worker', now: goldenNow + 1000 * dayMs }],
    ['without some', { text: 'offline', exclude: ['g10', 'g20', 'g30'], limit: 3 }],
    ['nothing folded', { text: 'storage', collapse: 'none', limit: 100 }],
    ['strong evidence only', { text: 'nothing at all like this acorn', minEvidence: 'strong' }],
    ['a listing', {}],
    ['a listing of a tag', { scope: { tags: { all: ['blue'] } }, limit: 5 }],
    ['nothing', { text: 'zzyzx' }],
    ['words and a time', { text: 'acorn cache last month', timeZone: 'Europe/Berlin' }],
    ['only a time', { text: 'was ist zwischen Mai und Juli passiert?', timeZone: 'America/New_York', limit: 20 }],
    ['a time that many texts name', { text: 'forest on 1 March 2026', timeZone: 'UTC', explain: true }],
    ['words held back', { text: 'winter forest -cache -"jay nest" -図書館', explain: true }],
    ['words in two fields', { text: 'memory nest', in: ['title', 'instruction'], without: ['птица'] }],
    ['synonyms', { text: 'cheese plan', policy: { ...balanced, synonyms: { cheese: ['acorn', 'jay nest'] } } }],
    ['joined words', { text: 'left-pad leftpad read-me createNest eggerror' }],
    ['parts of words, and folded letters', { text: 'egg error strasse lodz', explain: true }],
  ]
}

/**
 * A store in German and English, and questions that only word forms, folds and compounds answer: the same in every engine. Imports
 * nothing of Node, as golden-store.ts.
 */
import type { RecallQuery } from '../../../src/core/model/query.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { sha256Hex } from '../../../src/core/text/hash/sha256.ts'
import { goldenBytes, goldenNow } from './golden-store.ts'
import type { PublicEntries } from './golden-run.ts'

export const germanRecords: readonly RecordInput[] = [
  ['katzen', 'Zwei Katzen schlafen auf dem Dach.'],
  ['haeuser', 'Die alten Häuser stehen am Marktplatz.'],
  ['strasse', 'Die Straße zum Bahnhof ist gesperrt.'],
  ['baumhaus', 'Im Garten steht ein Baumhaus.'],
  ['arbeitszimmer', 'Das Arbeitszimmer bekommt ein neues Fenster.'],
  ['arbeit', 'Die Arbeit beginnt um acht, das Zimmer ist frei.'],
  ['baum', 'Ein Baum im Wald, ein Haus am See.'],
  ['laufen', 'Der Läufer lief durch den Wald.'],
  ['deploys', 'Two deploys failed before the release.'],
  ['rechnung', 'Rechnungen gehen an die Buchhaltung in Ørsted und Łódź.'],
].map(([id, body]) => ({ id: id!, body: body! }))

export const germanQuestions: readonly (readonly [name: string, query: RecallQuery])[] = [
  ['form', { text: 'Katze' }],
  ['umlaut', { text: 'Haus am Marktplatz' }],
  ['fold', { text: 'strasse' }],
  ['compound', { text: 'Bäume' }],
  ['joint', { text: 'Zimmer' }],
  ['function words', { text: 'Was ist in der Straße?' }],
  ['typo with forms', { text: 'Rechnug' }],
  ['letters', { text: 'Lodz orsted' }],
  ['english', { text: 'deploy' }],
  ['prefix', { text: 'arbeits', prefix: 'last' }],
  ['without', { text: 'Haus -Garten' }],
  ['nothing', { text: 'Regenschirm' }],
]

/** `changed`: one letter of one record differs. */
export async function runGerman(
  { openRecall }: Pick<PublicEntries, 'openRecall'>,
  storage: 'memory' | 'opfs' | 'indexeddb',
  changed = false,
): Promise<readonly string[]> {
  const recall = await openRecall({
    name: 'German',
    storage,
    embedder: null,
    languages: ['de', 'en'],
    now: () => goldenNow,
  })
  await recall.put(
    germanRecords.map((record, i) => (changed && i === 0 ? { ...record, body: 'Zwei Spatzen.' } : record)),
  )
  const lines: string[] = []
  for (const [name, query] of germanQuestions)
    lines.push(`${sha256Hex(goldenBytes(await recall.recall({ ...query, ledger: true })))}  ${name}`)
  await recall.destroy()
  return lines
}

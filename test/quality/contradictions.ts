/**
 * Puts each set in order of its records, one by one with `findContradictions`, and counts proposals. For sets with questions about
 * updated and contradicted statements: the share of these whose evidence was proposed as a pair. In the other sets every proposal
 * counts as a false alarm.
 */
import { createEngine } from '../../worker/engine/engine.ts'
import { engineOptions } from '../support/stores/engine-options.ts'
import { type Dataset, questionTime } from './datasets.ts'

export const contradictionsHead = [
  '| set | puts | puts with a proposal | in 50 puts | updates found | contradictions found |',
  '|---|---|---|---|---|---|',
].join('\n')

export async function contradictionsLine(dataset: Dataset): Promise<string> {
  const engine = await createEngine(engineOptions, null)
  const pairs = new Set<string>()
  let puts = 0
  let withProposal = 0
  for (const { id, title, text, scope, session, position } of dataset.documents) {
    if (`${title}${text}`.trim() === '') continue
    const record = { id, title: title || null, body: text, project: scope || null, session, position }
    const request = { batch: [record], findContradictions: true }
    const { records } = await engine.call('put', request, { now: questionTime + puts })
    const found = records[0]?.contradicts ?? []
    puts++
    if (found.length > 0) withProposal++
    for (const other of found) pairs.add(JSON.stringify([id, other]))
  }
  await engine.call('close', {}, { now: questionTime })
  const share = (kind: string) => {
    const asked = evidenceOf(dataset, kind)
    const found = asked.filter((ids) => ids.some((a) => ids.some((b) => pairs.has(JSON.stringify([a, b])))))
    return asked.length === 0 ? '–' : `${found.length} of ${asked.length}`
  }
  const cells = [puts, withProposal, ((withProposal / puts) * 50).toFixed(2)]
  return `| ${[dataset.name, ...cells, share('knowledge_update'), share('contradiction_resolution')].join(' | ')} |`
}

/** The ids of the evidence of each question of this kind. */
function evidenceOf({ questions, judgements }: Dataset, kind: string): readonly (readonly string[])[] {
  return questions.filter((question) => question.kind === kind).map(({ id }) => [...(judgements.get(id)?.keys() ?? [])])
}

/** `scrubjay recall <question>`: the records that answer a question, and why. */
import { writeFileSync } from 'node:fs'
import { captureAnswer } from '../../core/captured-answer.ts'
import type { RecallResult } from '../../core/model/result.ts'
import { choiceOf, type Given, integerOf, scopeOf, scopeOptions, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const recall: Command = {
  summary: 'Finds the records that answer a question, best first, with the reasons.',
  help: 'Times such as "last week" are read in the time zone of this computer, or of --time-zone. Write -- before a question that begins with a minus.',
  positional: '<question> ',
  options: [...scopeOptions, 'limit', 'policy', 'min-evidence', 'capture', 'time-zone'],
  store: 'existing',
  check(given) {
    if (given.positional.join(' ').trim() === '') throw wrongUse('A question must be given', 'scrubjay recall --help')
    evidenceOf(given)
    limitOf(given)
    scopeOf(given)
  },
  async run(given, { output, signal }, store) {
    const text = given.positional.join(' ').trim()
    const { policy, capture, json } = given.options
    const minEvidence = evidenceOf(given)
    const limit = limitOf(given)
    const query = {
      text,
      scope: scopeOf(given),
      ...(limit === undefined ? {} : { limit }),
      ...(policy === undefined ? {} : { policy }),
      ...(minEvidence === undefined ? {} : { minEvidence }),
      ...(capture === undefined ? {} : { capture: true }),
    }
    const { facts: _facts, ...answer } = await store.recall(query, { signal }).then((result) => {
      // The file holds texts of the store.
      if (capture !== undefined) writeFileSync(capture, `${JSON.stringify(captureAnswer(result))}\n`, { mode: 0o600 })
      return result
    })
    if (json === true) writeJson(output, answer)
    else for (const line of linesOf(answer)) writeLine(output, line)
    return 0
  },
}

const limitOf = (given: Given) => integerOf(given, 'limit', 1000)
const evidenceOf = (given: Given) => choiceOf(given, 'min-evidence', ['weak', 'strong'])

function linesOf({ hits, evidence, plan }: RecallResult): readonly string[] {
  const read = plan.read.map(({ kind, text }) => `${kind} “${text}”`)
  return [
    `evidence: ${evidence.strength}${read.length === 0 ? '' : `; read: ${read.join(', ')}`}`,
    ...hits.flatMap(({ id, score, record, snippet, reasons }, i) => [
      `${i + 1}. ${id}${record.title === null ? '' : `  ${record.title}`}  (${score.toFixed(3)})`,
      ...(snippet.text === '' ? [] : [`   ${snippet.text.replace(/\s+/g, ' ').trim()}`]),
      ...(reasons[0] === undefined ? [] : [`   ${reasons[0]}`]),
    ]),
  ]
}

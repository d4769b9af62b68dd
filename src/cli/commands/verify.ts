/** `scrubjay verify <file>`: checks a captured answer without a store. */
import { readFileSync } from 'node:fs'
import { verifyAnswer } from '../../core/captured-answer.ts'
import { RecallError, recallError } from '../../core/model/errors.ts'
import { wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const verify: Command = {
  summary: 'Checks a file of `recall --capture` without the store: its facts must give its answer, byte for byte.',
  help: 'Exit code 1 if they give another answer. The check proves that the answer follows from the facts, not that a store had them.',
  positional: '<answer.json> ',
  options: [],
  store: 'none',
  async run({ positional, options: { json } }, { output }) {
    const [path] = positional
    if (path === undefined || positional.length > 1) throw wrongUse('One file must be given', 'scrubjay verify --help')
    const file = readJson(path)
    try {
      const { question, policy, answer } = verifyAnswer(file)
      const { receipt, evidence } = answer
      if (json === true) writeJson(output, { verified: true, question, policy: policy.name, evidence, receipt })
      else {
        writeLine(output, `verified: ${receipt.id}, revision ${receipt.storeRevision}, policy ${policy.name}`)
        writeLine(output, `question: ${question.text ?? ''}`)
        writeLine(output, `evidence: ${evidence.strength}; records: ${receipt.ids.join(', ')}`)
      }
      return 0
    } catch (error) {
      if (!(error instanceof RecallError)) throw error
      const { code, message, field = null, hint = null } = error
      if (json === true) writeJson(output, { verified: false, error: { code, message, field, hint } })
      else writeLine(output, `not verified: ${message}`)
      return 1
    }
  },
}

function readJson(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw recallError('INVALID_ARGUMENT', 'must be JSON', {
      field: 'file',
      value: path,
      hint: 'Give the file that `scrubjay recall --capture` wrote.',
    })
  }
}

/** `scrubjay status`: what the store has, and what is degraded. */
import { type Command, writeJson, writeLine } from '../common/io.ts'

export const status: Command = {
  summary: 'Says what the store has, who owns it, and what is degraded.',
  help: '',
  positional: '',
  options: [],
  store: 'existing',
  async run({ options: { json } }, { output, signal }, store) {
    const found = await store.status({ signal })
    if (json === true) {
      writeJson(output, found)
      return 0
    }
    const { name, records, revision, role, durability, vectors, version, degraded } = found
    const lines = [
      `store: ${name}`,
      `records: ${records}, revision ${revision}`,
      `vectors: ${vectors.current}${vectors.space === null ? '' : ` of ${vectors.space}`}, ${vectors.pending} pending`,
      `writes: ${durability}`,
      `role: ${role === 'leader' ? 'this process owns the file' : 'another process owns the file'}`,
      `version: ${version}`,
      ...degraded.map((line) => `degraded: ${line}`),
    ]
    for (const line of lines) writeLine(output, line)
    return 0
  },
}

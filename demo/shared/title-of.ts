/** Gives a record its name on the page: the first line of its first text. */
import type { StoredRecord } from 'scrubjay'

const maxLength = 120

export function titleOf({ title, summary, instruction, command, body }: StoredRecord): string {
  const text = [title, summary, instruction, command, body].find((one) => one !== null && one.trim() !== '') ?? ''
  const [firstLine = ''] = text.trim().split('\n', 1)
  return firstLine.length > maxLength ? `${firstLine.slice(0, maxLength - 1)}…` : firstLine
}

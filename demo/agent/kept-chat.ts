/**
 * Keeps the conversation in local storage for the next visit: at most 50 turns. Whatever forgets a record clears it, so that no text of
 * the record outlives it here.
 */

export interface KeptTurn {
  readonly question: string
  readonly reply: string
  /** Whether the reply is shown to the letter; else it is Markdown. */
  readonly isPlain: boolean
  /** Ids of the records that the turn mentioned. */
  readonly ids: readonly string[]
}

const key = 'scrubjay-agent-chat'
const most = 50

export function readChat(): readonly KeptTurn[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}

/** Local storage may be blocked or full: then the next visit starts with an empty chat. */
export function keepChat(turns: readonly KeptTurn[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(turns.slice(-most)))
  } catch {}
}

export function clearChat(): void {
  try {
    localStorage.removeItem(key)
  } catch {}
}

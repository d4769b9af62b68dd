/**
 * Reads links between notes, as Obsidian writes them: `[[note]]`, `[[note|shown text]]`, `[[note#heading]]`,
 * `[[folder/note]]`, and the same with `!` before it. Pure.
 */

export interface NoteLink {
  /** As written, without the shown text. */
  readonly address: string
  /** The words that a reader sees. */
  readonly text: string
}

export const linkPattern = /!?\[\[([^[\]\n]{1,200})\]\]/

/** `inner` is the text between the brackets. */
export function readLink(inner: string): NoteLink {
  const [address = '', shown = ''] = inner.split(/\|(.*)/s, 2).map((part) => part.trim())
  return { address, text: shown === '' ? address : shown }
}

/** Whether the address leads to another note: not to a place in the same note, nor to a picture or another file. */
export function isNoteAddress(address: string): boolean {
  return (
    address !== '' &&
    !/^[#^]/.test(address) &&
    !/\.(?:png|jpe?g|gif|webp|svg|pdf|mp[34]|m4a|wav|webm|canvas)$/i.test(address)
  )
}

/** Titles that the address can mean, the most exact first. */
export function titlesOf(address: string): readonly string[] {
  const note = titleToWrite(address)
  return [...new Set([address.replace(/\.md$/i, ''), note, note.split('/').at(-1) ?? note])]
}

/** The title of the note that the link asks for, if it does not exist. */
export function titleToWrite(address: string): string {
  return address
    .replace(/\.md$/i, '')
    .replace(/(?!^)#.*$/s, '')
    .trim()
}

/** Addresses in a text without code, each once. */
export function addressesIn(text: string): readonly string[] {
  const found = text.matchAll(new RegExp(linkPattern, 'g'))
  return [...new Set([...found].map(([, inner = '']) => readLink(inner).address))].filter(isNoteAddress)
}

/** Plain text as pieces of readable length, cut at empty lines. */

export interface Piece {
  /** Empty when there is none. */
  readonly title: string
  readonly body: string
  /** Where it stands, in words; unique within its text. */
  readonly place: string
}

/** Characters; about a printed page, so that a hit is something to read and not a book. */
const pieceLength = 4000

export function splitText(text: string): readonly Piece[] {
  const bodies: string[] = []
  for (const paragraph of text.split(/\n\s*\n/)) {
    const last = bodies.at(-1)
    if (last !== undefined && last.length + paragraph.length < pieceLength)
      bodies[bodies.length - 1] = `${last}\n\n${paragraph}`
    else bodies.push(paragraph)
  }
  return bodies
    .map((body) => body.replace(/^\n+/, '').trimEnd())
    .filter((body) => body.trim() !== '')
    .map((body, index) => ({ title: '', body, place: `part ${index + 1}` }))
}

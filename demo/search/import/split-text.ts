/** Splits plain text at empty lines into chunks of readable length. */

export interface Chunk {
  /** Empty without a title. */
  readonly title: string
  readonly body: string
  /** The position in words; unique within the text. */
  readonly place: string
}

/** Characters; about one printed page, so that a hit is short enough to read. */
const chunkLength = 4000

export function splitText(text: string): readonly Chunk[] {
  const bodies: string[] = []
  for (const paragraph of text.split(/\n\s*\n/)) {
    const last = bodies.at(-1)
    if (last !== undefined && last.length + paragraph.length < chunkLength)
      bodies[bodies.length - 1] = `${last}\n\n${paragraph}`
    else bodies.push(paragraph)
  }
  return bodies
    .map((body) => body.replace(/^\n+/, '').trimEnd())
    .filter((body) => body.trim() !== '')
    .map((body, index) => ({ title: '', body, place: `part ${index + 1}` }))
}

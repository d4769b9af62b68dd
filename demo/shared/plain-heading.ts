/** Reads a Markdown heading as a reader sees it: without pictures, such as badges, and with links as their text. Pure. */

export interface PlainHeading {
  /** Empty if the heading has nothing but pictures. */
  readonly title: string
  /** The pictures and links that are not in the title, as Markdown. */
  readonly rest: string
}

// No part can contain its own opening sign, so matching takes linear time.
const parts = /\[!\[[^[\]\n]*\]\([^()\n]*\)\]\([^()\n]*\)|!?\[([^[\]\n]*)\]\([^()\n]*\)/g

export function plainHeading(heading: string): PlainHeading {
  const found: string[] = []
  const title = heading.replace(parts, (part: string, text: string | undefined) => {
    found.push(part)
    return part.startsWith('!') || text === undefined ? ' ' : text
  })
  if (found.length === 0) return { title: heading, rest: '' }
  return { title: title.replace(/[ \t]+/g, ' ').trim(), rest: found.join(' ') }
}

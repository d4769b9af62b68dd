/** Reads the bookmarks that browsers export as HTML: each one a record, with its folders as tags. */
import { readTime } from '../notes/dates.ts'
import { left, type Part, type Reader } from '../reading/reader.ts'
import { html, mostDepth } from '../reading/parsers.ts'

export const bookmarks: Reader = {
  kind: 'bookmarks',
  recognises: ({ text }) => /<!DOCTYPE NETSCAPE-Bookmark-file-1>/i.test(text.slice(0, 2_000)),
  async *read({ texts }, { offsetAt }) {
    const { Parser } = await html()
    const folders: string[] = []
    let heading = ''
    let text: string[] | null = null
    let link: Readonly<Record<string, string>> | null = null
    let count = 0
    let depth = 0
    let found: Part[] = []
    let open: Bookmark | null = null
    const finish = () => {
      if (open !== null) found.push(recordOf(open))
      open = null
    }
    const parser = new Parser({
      onopentag(name, attributes) {
        if (++depth > mostDepth) throw new Error(`nests folders deeper than ${mostDepth}`)
        if (name === 'dl') folders.push(heading)
        if (name === 'dt' || name === 'dl') finish()
        if (name === 'h3' || name === 'dd' || name === 'a') text = []
        if (name === 'a') link = attributes
      },
      ontext: (piece) => void text?.push(piece),
      onclosetag(name) {
        depth--
        const words = text?.join('').replaceAll(/\s+/g, ' ').trim() ?? ''
        if (name === 'dl') {
          finish()
          folders.pop()
        } else if (name === 'h3') heading = words
        else if (name === 'dd' && open !== null) open = { ...open, note: words }
        else if (name === 'a' && link !== null) {
          finish()
          count++
          open = {
            link,
            title: words,
            folders: folders.filter((folder) => folder !== ''),
            note: '',
            place: `bookmark ${count}`,
            time: readTime(Number(link['add_date'] ?? Number.NaN), offsetAt),
            modified: readTime(Number(link['last_modified'] ?? Number.NaN), offsetAt),
          }
          link = null
        } else return
        text = null
      },
    })
    for await (const chunk of texts()) {
      parser.write(chunk)
      yield* found
      found = []
    }
    parser.end()
    finish()
    if (count === 0) found.push(left('empty', null, 'holds no bookmark'))
    yield* found
  },
}

interface Bookmark {
  readonly link: Readonly<Record<string, string>>
  readonly title: string
  readonly folders: readonly string[]
  readonly note: string
  readonly place: string
  readonly time: number | undefined
  readonly modified: number | undefined
}

function recordOf({ link, title, folders, note, place, time, modified }: Bookmark): Part {
  const url = link['href'] ?? ''
  if (url === '') return left('damaged', place, 'has no address')
  // Scripts and pictures in an address are not places to go.
  if (/^(?:javascript|data):/i.test(url)) return left('unknown', place, 'must be an address, not a script or data')
  const tags = (link['tags'] ?? '').split(',').map((tag) => tag.trim())
  return {
    id: `bookmark:${folders.join('/')}:${url}`,
    kind: 'bookmark',
    title: title === '' ? url : title,
    body: [note, url].filter((line) => line !== '').join('\n'),
    source: url.slice(0, 1_000),
    tags: [...new Set([...folders, ...tags].filter((tag) => tag !== ''))],
    ...(time === undefined ? {} : { createdAt: time, updatedAt: modified ?? time }),
    metadata: { url, ...(folders.length === 0 ? {} : { folder: folders.join('/') }) },
  }
}

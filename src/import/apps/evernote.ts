/** Reads notebooks of Evernote (.enex): XML with one element for each note, read in pieces, because its pictures make it large. */
import type { RecordInput } from '../../core/model/record.ts'
import { fileId, left, type Part, type Reader, stemOf } from '../reading/reader.ts'
import { html } from '../reading/parsers.ts'
import { textOfHtml } from '../notes/html-text.ts'

/** A note as far as it was read. */
interface Note {
  readonly number: number
  title: string
  content: string
  created: string
  updated: string
  author: string
  'source-url': string
  readonly tags: string[]
  readonly attachments: string[]
  readonly tasks: { title: string; taskStatus: string }[]
}

export const evernote: Reader = {
  kind: 'evernote',
  recognises: ({ extension, text }) => extension === 'enex' || /<en-export[\s>]/.test(text.slice(0, 2_000)),
  async *read({ file, texts }, { warn }) {
    const { Parser } = await html()
    const ended: Note[] = []
    const reading = createNotes((note) => ended.push(note))
    const parser = new Parser(reading, { xmlMode: true, decodeEntities: true })
    const notebook = stemOf(file.path)
    const taken = new Map<string, number>()
    async function* endedNotes(): AsyncIterable<Part> {
      for (const note of ended.splice(0)) {
        const place = `note ${note.number}`
        if (note.content.includes('<en-crypt')) warn(place, 'has a part that Evernote encrypted; it is not kept')
        if (note.attachments.length > 0) yield { joined: note.attachments.length }
        const record = await recordOf(note)
        if (record.body === '' && record.title === undefined) {
          yield left('empty', place, 'holds no text')
          continue
        }
        const own = `evernote:${notebook}:${note.created.trim()}:${record.title ?? ''}`
        const count = (taken.get(own) ?? 0) + 1
        taken.set(own, count)
        yield { ...record, id: count === 1 ? own : `${own}~${count}`, topic: notebook }
      }
    }
    for await (const text of texts()) {
      parser.write(text)
      yield* endedNotes()
    }
    const open = reading.open()
    parser.end()
    if (open === null) yield* endedNotes()
    else yield left('damaged', `note ${open.number}`, 'is cut: the file ends inside of it')
    if (reading.count() === 0) yield left('empty', fileId(file), 'holds no note')
  },
}

async function recordOf(note: Note): Promise<RecordInput> {
  const [title, url, author] = [note.title.trim(), note['source-url'].trim(), note.author.trim()]
  const createdAt = msOf(note.created)
  const tasks = note.tasks.map((task) => `- [${task.taskStatus === 'completed' ? 'x' : ' '}] ${task.title.trim()}`)
  const text = await textOfHtml(withBoxes(note.content))
  return {
    kind: 'note',
    ...(title === '' ? {} : { title }),
    body: [text, tasks.join('\n')].filter((part) => part !== '').join('\n\n'),
    tags: note.tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
    ...(url === '' ? {} : { source: url.slice(0, 1_000) }),
    ...(createdAt === undefined ? {} : { createdAt, updatedAt: msOf(note.updated) ?? createdAt }),
    metadata: {
      ...(url === '' ? {} : { url: url.slice(0, 4_000) }),
      ...(author === '' ? {} : { author }),
      ...(note.attachments.length === 0 ? {} : { attachments: note.attachments }),
    },
  }
}

/** Collects the texts of the elements that are kept. Those of pictures are dropped as they come. */
function createNotes(end: (note: Note) => void) {
  const path: string[] = []
  let note: Note | null = null
  let count = 0
  return {
    open: () => note,
    count: () => count,
    onopentag(name: string) {
      path.push(name)
      if (name === 'note') note = emptyNote(++count)
      else if (name === 'tag') note?.tags.push('')
      else if (name === 'resource') note?.attachments.push('')
      else if (name === 'task') note?.tasks.push({ title: '', taskStatus: '' })
    },
    ontext(text: string) {
      if (note === null) return
      const name = path.at(-1)
      switch (path.at(-2)) {
        case 'note':
          if (name === 'tag') note.tags[note.tags.length - 1] += text
          else if (name === 'title' || name === 'content' || name === 'created' || name === 'updated')
            note[name] += text
          break
        case 'note-attributes':
          if (name === 'author' || name === 'source-url') note[name] += text
          break
        case 'task':
          if (name === 'title' || name === 'taskStatus') note.tasks.at(-1)![name] += text
          break
        case 'resource-attributes':
          if (name === 'file-name') note.attachments[note.attachments.length - 1] += text
          break
      }
    },
    onclosetag(name: string) {
      path.pop()
      if (name !== 'note' || note === null) return
      end(note)
      note = null
    },
  }
}

function emptyNote(number: number): Note {
  const texts = { title: '', content: '', created: '', updated: '', author: '', 'source-url': '' }
  return { number, ...texts, tags: [], attachments: [], tasks: [] }
}

/** The boxes of its lists, as Markdown writes them. */
function withBoxes(content: string): string {
  return content.replaceAll(/<en-todo\b[^<>]*>/g, (box) => (/checked="true"/.test(box) ? '[x] ' : '[ ] '))
}

/** `20191103T092133Z`, always in UTC. */
function msOf(text: string): number | undefined {
  const found = /^\s*(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\s*$/.exec(text)
  if (found === null) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

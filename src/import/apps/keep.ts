/** Reads notes of Google Keep, as Takeout has them: one file of JSON for each note, with a page with the same text. */
import type { RecordInput } from '../../core/model/record.ts'
import { fileId, left, type Reader, stemOf } from '../reading/reader.ts'
import { isObject, type Json, textOf } from '../tables/json.ts'

export const keep: Reader = {
  kind: 'keep',
  recognises: ({ text }) => /^\s*\{/.test(text) && /"(?:userEdited|created)TimestampUsec"\s*:/.test(text),
  async *read({ file, whole }) {
    const note: unknown = JSON.parse(await whole())
    if (!isObject(note)) yield left('damaged', null, 'must be an object')
    else if (note['isTrashed'] === true) yield left('deleted', null, 'was in the bin of Keep')
    else {
      const attachments = objectsIn(note['attachments']).map((one) => textOf(one['filePath']))
      if (attachments.length > 0) yield { joined: attachments.length }
      const body = bodyOf(note)
      if (body === '' && textOf(note['title']) === '') yield left('empty', null, 'holds no text')
      else yield { id: fileId(file), ...recordOf(note), title: textOf(note['title']) || stemOf(file.path), body }
    }
  },
}

export const keepPage: Reader = {
  kind: 'keep-page',
  recognises: ({ extension, text }) =>
    /^html?$/.test(extension) && /<div class="note\b/.test(text) && /<div class="heading\b/.test(text),
  async *read() {
    yield left('duplicate', null, 'is the page of a note of Keep; the file of the same name in JSON holds it, too')
  },
}

function recordOf(note: Json): RecordInput {
  const created = msOf(note['createdTimestampUsec']) ?? msOf(note['userEditedTimestampUsec'])
  const edited = msOf(note['userEditedTimestampUsec']) ?? created
  const attachments = objectsIn(note['attachments']).map((one) => textOf(one['filePath']))
  return {
    kind: 'note',
    tags: objectsIn(note['labels']).map((label) => textOf(label['name'])),
    ...(created === undefined ? {} : { createdAt: created, updatedAt: edited ?? created }),
    metadata: {
      ...(note['isPinned'] === true ? { pinned: true } : {}),
      ...(note['isArchived'] === true ? { archived: true } : {}),
      ...(attachments.length === 0 ? {} : { attachments }),
    },
  }
}

/** The text, the list, and the addresses that neither holds. */
function bodyOf(note: Json): string {
  const list = objectsIn(note['listContent']).map(
    (item) => `- [${item['isChecked'] === true ? 'x' : ' '}] ${textOf(item['text'])}`,
  )
  const text = [textOf(note['textContent']).trim(), list.join('\n')].filter((part) => part !== '').join('\n\n')
  const links = objectsIn(note['annotations'])
    .filter((one) => textOf(one['url']) !== '' && !text.includes(textOf(one['url'])))
    .map((one) => `${textOf(one['title'])} ${textOf(one['url'])}`.trim())
  return [text, ...links].filter((part) => part !== '').join('\n\n')
}

/** Keep counts microseconds. */
function msOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? Math.floor(value / 1_000) : undefined
}

function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

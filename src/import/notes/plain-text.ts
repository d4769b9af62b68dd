/** Reads a plain text as one record; its title is the name of the file. */
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { fileId, type Reader, stemOf } from '../reading/reader.ts'
import { dayInName } from './dates.ts'

export const plainText: Reader = {
  kind: 'text',
  recognises: ({ extension, text }) => /^(?:txt|text|log|org|rst|adoc|tex)$/.test(extension) || isText(text),
  async *read({ file, whole }, { offsetAt }) {
    const text = await whole()
    const title = stemOf(file.path)
    const day = dayInName(title, offsetAt)
    const { modifiedMs } = file
    const created = day ?? modifiedMs ?? undefined
    yield {
      id: fileId(file),
      kind: 'note',
      title,
      body: text
        .replace(/^\uFEFF/, '')
        .replaceAll(/\r\n?/g, '\n')
        .trim(),
      source: fileId(file).slice('file:'.length),
      files: [{ path: file.path, sha256: sha256Hex(text), ...(modifiedMs === null ? {} : { mtime: modifiedMs }) }],
      ...(day === undefined ? {} : { occurredAt: day }),
      ...(created === undefined ? {} : { createdAt: created, updatedAt: modifiedMs ?? created }),
    }
  },
}

/** Whether a file without a known ending reads as prose: code and settings files are listed instead. Without spaces, each letter is a word. */
function isText(text: string): boolean {
  const head = text.slice(0, 4_096)
  const words =
    head.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Tibt}]|\p{L}{2,}/gu)
      ?.length ?? 0
  const signs = head.match(/[{}()[\];=<>$|\\]/g)?.length ?? 0
  return words >= 3 && signs * 4 < words
}

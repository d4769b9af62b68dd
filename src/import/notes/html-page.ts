/** Reads a page in HTML as one record: its readable text, title, address and time. */
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { fileId, left, type Reader, stemOf } from '../reading/reader.ts'
import { readTime } from './dates.ts'
import { readHtml } from './html-text.ts'

export const htmlPage: Reader = {
  kind: 'html',
  recognises: ({ extension, text }) =>
    /^(?:x?html?)$/.test(extension) || /^\s*(?:<!doctype html|<html[\s>])/i.test(text),
  async *read({ file, sample, whole }, { offsetAt }) {
    // ChatGPT's export holds all conversations once more as a page.
    if (/\bvar jsonData\s*=/.test(sample.text)) {
      yield left('duplicate', null, 'holds the conversations of conversations.json once more')
      return
    }
    const html = await whole()
    const { title, text, published, address } = await readHtml(html)
    if (text === '') {
      yield left('empty', null, 'holds no readable text')
      return
    }
    const { modifiedMs } = file
    const created = readTime(published ?? undefined, offsetAt) ?? modifiedMs ?? undefined
    yield {
      id: fileId(file),
      kind: 'page',
      title: title ?? stemOf(file.path),
      body: text,
      source: address ?? fileId(file).slice('file:'.length),
      files: [{ path: file.path, sha256: sha256Hex(html), ...(modifiedMs === null ? {} : { mtime: modifiedMs }) }],
      ...(created === undefined ? {} : { createdAt: created, updatedAt: modifiedMs ?? created }),
      ...(address === null ? {} : { metadata: { url: address } }),
    }
  },
}

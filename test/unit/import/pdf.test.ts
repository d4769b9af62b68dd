/** Reads PDF files with unpdf: two public ones, and hostile ones that are cut, locked, without text, looped, or expand far. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { pdfOpener } from '../../../src/cli/common/pdf.ts'
import type { OpenPdf } from '../../../src/import/index.ts'
import { root } from '../../support/install-package.ts'
import { isComplete, read } from './read.ts'

const openPdf = pdfOpener()!
/** Papers that come with another package. */
const paper = (name: string) => readFileSync(join(root, 'node_modules/pdf-parse/test/data', name))

test.each([
  [
    '01-valid.pdf',
    14,
    '2009-04-01',
    'Trace-based Just-in-Time Type Specialization',
    'are more difficult to compile than',
  ],
  ['04-valid.pdf', 5, '2009-06-26', 'Acute effect of speed exercise on nitric oxide', 'Turk J Med Sci'],
])('each page of %s is a record of its number, in one session', async (name, pages, day, title, words) => {
  const { records, report, byId } = await read({ name, bytes: paper(name) }, { openPdf })
  expect(report).toMatchObject({ parts: pages, records: pages, left: 0, kinds: { pdf: pages } })
  const body = byId.get(`file:${name}#page=1`)?.body?.replaceAll('\n', ' ')
  expect(body).toContain(title)
  expect(body).toMatch(new RegExp(words))
  expect(records.map(({ metadata, position, session }) => [metadata?.['page'], position, session])).toEqual(
    Array.from({ length: pages }, (_, i) => [i + 1, i + 1, `file:${name}`]),
  )
  expect(new Date(records[0]!.createdAt!).toISOString().slice(0, 10)).toBe(day)
})

/** A PDF file of the given objects, the first of which is the catalogue. */
function pdfOf(objects: readonly (string | Uint8Array)[], trailer = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  const size = () => parts.reduce((sum, { length }) => sum + length, 0)
  for (const [i, object] of objects.entries()) {
    offsets.push(size())
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
  }
  const start = size()
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`,
    ),
  )
  return new Uint8Array(Buffer.concat(parts))
}

const pagesOf = (kids: string, count: number) => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
]
const page = (contents: number) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Contents ${contents} 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`
const content = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
const words = content('BT /F 9 Tf (Rye needs 250 degrees) Tj ET')

test('what cannot be read is listed with its reason, and the report adds up', async () => {
  const key = `<${'00'.repeat(32)}>`
  const lock = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`
  const hostile = {
    'fine.pdf': pdfOf([...pagesOf('3 0 R 3 0 R 5 0 R', 3), page(4), words, page(6), content('')]),
    'locked.pdf': pdfOf([...pagesOf('3 0 R', 1), page(4), words], lock),
    'blank.pdf': pdfOf([...pagesOf('3 0 R', 1), page(4), content('')]),
    'loop.pdf': pdfOf([...pagesOf('2 0 R', 1)]),
    'many.pdf': pdfOf([...pagesOf('3 0 R', 2_000_000_000), page(4), words]),
    'cut.pdf': paper('01-valid.pdf').subarray(0, 60_000),
    'invalid.pdf': paper('03-invalid.pdf'),
    'mark.pdf': Buffer.from('%PDF-'),
  }
  const { records, report } = await read(
    Object.entries(hostile).map(([name, bytes]) => ({ name, bytes: new Uint8Array(bytes) })),
    { openPdf },
  )
  expect(records.map(({ id }) => id)).toEqual(['file:fine.pdf#page=1', 'file:fine.pdf#page=2', 'file:many.pdf#page=1'])
  expect(records[0]).toMatchObject({ title: 'fine', body: 'Rye needs 250 degrees' })
  expect(report.listed.map(({ file, part, code }) => [file, part, code])).toEqual([
    ['fine.pdf', 'page 3', 'empty'],
    ['locked.pdf', null, 'encrypted'],
    ['blank.pdf', null, 'empty'],
    ['loop.pdf', 'page 1', 'damaged'],
    ['cut.pdf', null, 'damaged'],
    ['invalid.pdf', null, 'damaged'],
    ['mark.pdf', null, 'damaged'],
  ])
  expect(isComplete(report)).toBe(true)
})

test('without a library the report says what to install, and texts about PDF stay texts', async () => {
  const { records, report } = await read([
    { name: 'a.pdf', bytes: pdfOf([...pagesOf('3 0 R', 1), page(4), words]) },
    { name: 'note.md', text: 'Files begin with %PDF-1.4.' },
  ])
  expect(records.map(({ id }) => id)).toEqual(['file:note.md'])
  expect(report.listed).toMatchObject([
    { code: 'needs-library', message: expect.stringContaining('npm install unpdf') },
  ])
})

test('a document is closed when the caller stops', async () => {
  const destroy = vi.fn()
  const open: OpenPdf = async () => ({
    numPages: 3,
    getPage: async (number) => ({ getTextContent: async () => ({ items: [{ str: `page ${number}`, hasEOL: true }] }) }),
    destroy,
  })
  const stop = new AbortController()
  const bytes = Buffer.from('%PDF-1.7')
  const run = read(
    { name: 'a.pdf', bytes },
    { openPdf: async (data) => (stop.abort(), open(data)), signal: stop.signal },
  )
  await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
  expect(destroy).toHaveBeenCalledOnce()
})

test.each([
  ['spaces', Buffer.alloc(10_000_000, ' '), { empty: 1 }],
  [
    'text',
    Buffer.from(`BT /F 9 Tf ${'1 0 0 1 9 9 Tm (Rye needs 250 degrees) Tj '.repeat(400_000)}ET`),
    { 'too-large': 1 },
  ],
])('a page that expands a thousandfold to %s ends', async (_, content, left) => {
  const bomb = deflateSync(content)
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n`),
    bomb,
    Buffer.from('\nendstream'),
  ])
  const { report } = await read({ name: 'b.pdf', bytes: pdfOf([...pagesOf('3 0 R', 1), page(4), stream]) }, { openPdf })
  expect(report.leftByCode).toEqual(left)
})

test('a page whose text never ends is left: its stream is cancelled', async () => {
  const cancel = vi.fn()
  const endless = () =>
    new ReadableStream({
      pull: (stream) => stream.enqueue({ items: [{ str: 'rye '.repeat(10_000), hasEOL: true }] }),
      cancel,
    })
  const openPdf: OpenPdf = async () => ({
    numPages: 1,
    getPage: async () => ({ streamTextContent: endless, getTextContent: async () => ({ items: [] }) }),
  })
  const { report } = await read({ name: 'a.pdf', bytes: Buffer.from('%PDF-1.7') }, { openPdf })
  expect(report.leftByCode).toEqual({ 'too-large': 1 })
  expect(cancel).toHaveBeenCalledOnce()
})

test('pages after 64 MiB of text are left out, and the report names them', async () => {
  const str = 'rye '.repeat(250_000)
  const openPdf: OpenPdf = async () => ({
    numPages: 100,
    getPage: async () => ({ getTextContent: async () => ({ items: [{ str, hasEOL: false }] }) }),
  })
  const { report } = await read({ name: 'a.pdf', bytes: Buffer.from('%PDF-1.7') }, { openPdf })
  expect(report).toMatchObject({ records: 68, leftByCode: { 'too-large': 1 } })
  expect(report.listed).toMatchObject([{ part: 'page 69 to 100' }])
})

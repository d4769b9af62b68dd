/** Readers of Google Keep and Evernote. */
import { describe, expect, test } from 'vitest'
import { isComplete, read } from './read.ts'

describe('Google Keep', () => {
  const note = {
    title: 'Garden',
    textContent: 'Plant garlic.',
    createdTimestampUsec: 1_700_000_000_123_456,
    userEditedTimestampUsec: 1_700_000_100_000_000,
    labels: [{ name: 'home' }],
    isPinned: true,
  }
  const file = (name: string, value: object) => ({ path: `Takeout/Keep/${name}`, text: JSON.stringify(value) })

  test('a note has its text, labels, times and list; links that it does not show follow', async () => {
    const { records, report } = await read([
      file('Garden.json', note),
      file('List.json', {
        ...note,
        title: '',
        listContent: [
          { text: 'milk', isChecked: true },
          { text: 'flour', isChecked: false },
        ],
        annotations: [
          { url: 'https://example.org/', title: 'Example' },
          { url: 'https://example.net/', title: 'Shown' },
        ],
        textContent: 'Seen at https://example.net/',
        attachments: [{ filePath: 'a.png', mimetype: 'image/png' }],
      }),
    ])
    expect(records[0]).toMatchObject({
      id: 'file:Takeout/Keep/Garden.json',
      title: 'Garden',
      body: 'Plant garlic.',
      tags: ['home'],
      createdAt: 1_700_000_000_123,
      updatedAt: 1_700_000_100_000,
      metadata: { pinned: true, import: { kind: 'keep' } },
    })
    expect(records[1]).toMatchObject({
      title: 'List',
      body: 'Seen at https://example.net/\n\n- [x] milk\n- [ ] flour\n\nExample https://example.org/',
      metadata: { attachments: ['a.png'] },
    })
    expect(report).toMatchObject({ records: 2, joined: 1, left: 0 })
  })

  test('notes in the bin, pages of the same notes, empty and damaged ones are listed', async () => {
    const { records, report } = await read([
      file('Bin.json', { ...note, isTrashed: true }),
      file('Empty.json', { createdTimestampUsec: 1, textContent: '', title: '' }),
      { path: 'Keep/Cut.json', text: JSON.stringify(note).slice(0, -9) },
      {
        path: 'Keep/Garden.html',
        text: '<html><body><div class="note"><div class="heading">x</div><div class="content">Plant garlic.</div></div></body></html>',
      },
    ])
    expect(records).toEqual([])
    expect(report.leftByCode).toEqual({ deleted: 1, empty: 1, damaged: 1, duplicate: 1 })
    expect(isComplete(report)).toBe(true)
  })
})

describe('Evernote', () => {
  const enml = (html: string) =>
    `<![CDATA[<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${html}</en-note>]]>`
  const note = (title: string, html: string, more = '') =>
    `<note><title>${title}</title><created>20191103T092133Z</created><updated>20191104T000000Z</updated>${more}<content>${enml(html)}</content></note>`
  const notebook = (...notes: readonly string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd">\n<en-export export-date="20200101T000000Z" application="Evernote">${notes.join('\n')}</en-export>`
  const readNotebook = (...notes: readonly string[]) => read({ path: 'Recipes.enex', text: notebook(...notes) })

  test('a note has its text, tags, times, source and the names of its files', async () => {
    const picture = `<resource><data encoding="base64">${'QUJD'.repeat(2_000)}</data><resource-attributes><file-name>dough.jpg</file-name></resource-attributes></resource>`
    const attributes =
      '<tag>bread</tag><tag> rye </tag><note-attributes><author>Ida</author><source-url>https://example.org/rye</source-url></note-attributes>'
    const { records, report } = await readNotebook(
      note('Rye &amp; water', '<div>Mix.</div><div><en-todo checked="true"/>Wait</div>', attributes + picture),
    )
    expect(records).toMatchObject([
      {
        id: 'evernote:Recipes:20191103T092133Z:Rye & water',
        title: 'Rye & water',
        body: 'Mix.\n\n[x] Wait',
        topic: 'Recipes',
        tags: ['bread', 'rye'],
        source: 'https://example.org/rye',
        createdAt: Date.UTC(2019, 10, 3, 9, 21, 33),
        updatedAt: Date.UTC(2019, 10, 4),
        metadata: { author: 'Ida', attachments: ['dough.jpg'] },
      },
    ])
    expect(report).toMatchObject({ records: 1, joined: 1, left: 0 })
  })

  test('boxes, code, tables, tasks and text that Evernote encrypted', async () => {
    const { records, report } = await readNotebook(
      note(
        'Boxes',
        '<ul style="--en-todo:true"><li style="--en-checked:true;"><div>Oats</div></li><li style="--en-checked:false;"><div>Rye</div></li></ul>',
      ),
      note('Code', '<div style="-en-codeblock:true;"><div>if x:</div><div>  return 1</div></div>'),
      note('Table', '<table><tr><td><div>a</div></td><td><div>b</div></td></tr></table>'),
      note(
        'Tasks',
        '<div>Soon:</div>',
        '<task><title>Call Jo</title><created>20200101T000000Z</created><taskStatus>completed</taskStatus></task>',
      ),
      note('Secret', '<div>PIN: <en-crypt cipher="AES">RU5DMA==</en-crypt></div>'),
    )
    expect(records.map(({ body }) => body)).toEqual([
      '- [x] Oats\n\n- [ ] Rye',
      '```\nif x:\n  return 1\n\n```',
      'a |\n\nb |',
      'Soon:\n\n- [x] Call Jo',
      'PIN:',
    ])
    expect(report.warnings).toEqual([
      { file: 'Recipes.enex', part: 'note 5', message: 'has a part that Evernote encrypted; it is not kept' },
    ])
  })

  test('notes of one title and time stay apart; importing again gives the same ids', async () => {
    const same = [note('Untitled', 'one'), note('Untitled', 'two')]
    const first = await readNotebook(...same)
    expect(first.records.map(({ id }) => id)).toEqual([
      'evernote:Recipes:20191103T092133Z:Untitled',
      'evernote:Recipes:20191103T092133Z:Untitled~2',
    ])
    expect((await readNotebook(...same)).records).toEqual(first.records)
  })

  test('a file that is cut keeps the notes before; a file without notes is listed', async () => {
    const text = notebook(note('Whole', 'kept'), note('Cut', 'x '.repeat(200)))
    const cut = await read({ path: 'a.enex', text: text.slice(0, -150) })
    expect(cut.records.map(({ title }) => title)).toEqual(['Whole'])
    expect(cut.report.leftByCode).toEqual({ damaged: 1 })
    expect((await readNotebook()).report.leftByCode).toEqual({ empty: 1 })
    expect(isComplete(cut.report)).toBe(true)
  })
})

/** Readers of mail and tables. */
import { describe, expect, test } from 'vitest'
import { read } from './read.ts'

test('mail: messages of a mailbox, threads as sessions, quoted and encoded texts', async () => {
  const first =
    'From anna@example.org Mon Jan  5 10:00:00 2026\nFrom: Anna <anna@example.org>\nTo: Ben <ben@example.org>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nMessage-ID: <1@x>\nDate: Mon, 5 Jan 2026 10:00:00 +0100\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nSch=F6n.\n>From here on.\n\n'
  const second =
    'From ben@example.org Mon Jan  5 11:00:00 2026\nFrom: ben@example.org\nSubject: Re\nMessage-ID: <2@x>\nIn-Reply-To: <1@x>\nContent-Type: text/html\n\n<p>Thanks</p>\n'
  const { records, report } = await read({ name: 'mail', text: first + second })
  expect(records).toEqual([
    expect.objectContaining({
      id: 'mail:1@x',
      title: 'Grüße',
      body: 'Schön.\nFrom here on.',
      session: 'mail:1@x',
      createdAt: Date.parse('2026-01-05T09:00:00Z'),
    }),
    expect.objectContaining({
      id: 'mail:2@x',
      body: 'Thanks',
      session: 'mail:1@x',
      relations: [{ kind: 'replies_to', target: 'mail:1@x' }],
    }),
  ])
  expect(report).toMatchObject({ records: 2, left: 0, kinds: { mbox: 2 } })
})

describe('tables', () => {
  test('rows of CSV have the fields that columns usually have; the others are text and metadata', async () => {
    const text =
      'id;Title;Note;City;Date\n1;Rye;"two\nlines; one ""quote""";Lyon;2025-03-04\n2;Wheat;;Rome;\n3;too;many;fields;here;now\n'
    const { records, report } = await read({ name: 'table.csv', text })
    expect(records[0]).toMatchObject({
      id: 'file:table.csv#1',
      title: 'Rye',
      body: 'two\nlines; one "quote"\n\nCity: Lyon',
      createdAt: Date.parse('2025-03-04T00:00:00Z'),
      metadata: { City: 'Lyon' },
    })
    expect(records[1]).toMatchObject({ title: 'Wheat', body: 'City: Rome' })
    expect(report.listed).toEqual([expect.objectContaining({ part: 'row 4', code: 'damaged' })])
  })

  test('a CSV in pieces of any size has the same rows', async () => {
    const text = `a,b\n${Array.from({ length: 40 }, (_, i) => `${i},"x ${i}\n""y"" ,z"`).join('\n')}`
    const whole = await read({ name: 'p.csv', text })
    for (const size of [1, 3, 7]) {
      const bytes = new TextEncoder().encode(text.padEnd(70_000, '\n'))
      const stream = async function* () {
        for (let i = 0; i < bytes.length; i += i < 66_000 ? 4_096 : size)
          yield bytes.subarray(i, i + (i < 66_000 ? 4_096 : size))
      }
      expect((await read({ name: 'p.csv', stream })).records).toEqual(whole.records)
    }
  })

  test('records of Scrubjay in JSON Lines stay as they are; other objects are read by their names', async () => {
    const lines = ['{"id":"r1","body":"x","tags":["t"]}', 'oops', '{"text":"hello","author":"Ann"}', '3']
    const { records, report } = await read({ name: 'a.jsonl', text: lines.join('\n') })
    expect(records[0]).toMatchObject({ id: 'r1', body: 'x', tags: ['t'] })
    expect(records[1]).toMatchObject({ body: 'hello\n\nauthor: Ann' })
    expect(report.listed.map(({ part, code }) => [part, code])).toEqual([
      ['line 2', 'damaged'],
      ['line 4', 'unknown'],
    ])
  })
})

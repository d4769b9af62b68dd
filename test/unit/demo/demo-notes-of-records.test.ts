/** Tests what the notes app makes of the records of other apps: a conversation is one note, and no message is lost. */
import { describe, expect, test } from 'vitest'
import { notesOfRecords } from '../../../demo/notes/files/notes-of-records.ts'
import { createRandom } from '../../support/data/random.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'

const noLinks = () => undefined

async function notesOf(records: readonly RecordInput[]): Promise<readonly RecordInput[]> {
  const notes: RecordInput[] = []
  const given = (async function* () {
    yield* records
  })()
  for await (const note of notesOfRecords(given, noLinks)) notes.push(note)
  return notes
}

const message = (session: string, body: string, role = 'user', at = 1): RecordInput => ({
  id: `${session}/${body}`,
  session,
  title: `About ${session}`,
  body,
  createdAt: at,
  updatedAt: at,
  metadata: { role },
})

describe('notes of records', () => {
  test('the messages of a conversation are one note with the speakers, dated by its first and last message', async () => {
    const notes = await notesOf([
      message('bread', 'How long?', 'user', 10),
      message('bread', 'Eight hours.', 'assistant', 20),
      message('tea', 'How hot?', 'user', 30),
    ])
    expect(
      notes.map(({ id, title, body, createdAt, updatedAt }) => ({ id, title, body, createdAt, updatedAt })),
    ).toEqual([
      {
        id: 'conversation:bread',
        title: 'About bread',
        body: '**You:** How long?\n\n**Assistant:** Eight hours.',
        createdAt: 10,
        updatedAt: 20,
      },
      { id: 'conversation:tea', title: 'About tea', body: '**You:** How hot?', createdAt: 30, updatedAt: 30 },
    ])
  })

  test('other records are notes with their tags and other names', async () => {
    const [note] = await notesOf([
      {
        id: 'file:House move.md',
        title: 'House move',
        body: 'See #boxes.',
        tags: ['move', 'a, b'],
        terms: [{ term: 'Umzug', kind: 'alias' }],
        createdAt: 5,
      },
    ])
    expect(note).toMatchObject({
      id: 'file:House move.md',
      kind: 'note',
      title: 'House move',
      summary: 'Umzug',
      createdAt: 5,
      metadata: { frontMatter: 'tags: [move, a  b]\naliases: [Umzug]' },
    })
    expect(note!.tags).toEqual(expect.arrayContaining(['boxes', 'move']))
  })

  test('mail of one thread stays one note each', async () => {
    const mail = (id: string): RecordInput => ({ id, kind: 'mail', session: 'thread', title: 'Re: roof', body: id })
    expect(await notesOf([mail('mail:1'), mail('mail:2')])).toMatchObject([{ id: 'mail:1' }, { id: 'mail:2' }])
  })

  test('each message is in exactly one note, in order, and no note is much longer than the limit', async () => {
    const random = createRandom(44)
    for (let round = 0; round < 20; round++) {
      const records = Array.from({ length: 40 }, (_, i) =>
        random.next() < 0.2
          ? { id: `own ${i}`, title: `own ${i}`, body: `<${i}>` }
          : message(`s${random.below(3)}`, `<${i}>${'x'.repeat(random.below(30_000))}`),
      )
      const notes = await notesOf(records)
      const order = notes.flatMap(({ body }) => [...(body ?? '').matchAll(/<(\d+)>/g)].map((match) => Number(match[1])))
      expect(order).toEqual(records.map((_, i) => i))
      expect(new Set(notes.map(({ id }) => id)).size, 'no note replaces another').toBe(notes.length)
      for (const { body } of notes) expect(body!.length).toBeLessThan(140_000)
    }
  })
})

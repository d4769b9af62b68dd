/** Checks how the messages of a chat become records: session, position, speaker, time, and chunks of long turns. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Message, messagesToRecords } from '../../../src/core/ingest/messages-to-records.ts'
import { parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { splitTurn } from '../../../src/core/ingest/split-turn.ts'

const session = 'trip'
const now = Date.UTC(2026, 10, 23)

describe('messages as records', () => {
  test('have session, position, speaker, role and time', () => {
    const messages: Message[] = [
      { id: 'm1', role: 'user', name: 'Ada', content: 'Where is the spare key?', createdAt: now - 2_000 },
      { id: 'm2', role: 'assistant', content: 'Behind the clock.', createdAt: new Date(now - 1_000) },
      { role: 'user', content: 'Thanks.' },
    ]
    expect(
      messagesToRecords(messages, { session, position: 7, now, record: { project: 'home', metadata: { app: 'x' } } }),
    ).toEqual([
      {
        id: 'trip/m1',
        kind: 'turn',
        project: 'home',
        title: 'Ada',
        body: 'Where is the spare key?',
        session,
        position: 7,
        createdAt: now - 2_000,
        updatedAt: now - 2_000,
        metadata: { app: 'x', role: 'user' },
      },
      {
        id: 'trip/m2',
        kind: 'turn',
        project: 'home',
        body: 'Behind the clock.',
        session,
        position: 8,
        createdAt: now - 1_000,
        updatedAt: now - 1_000,
        metadata: { app: 'x', role: 'assistant' },
      },
      {
        id: expect.stringMatching(/^trip\/[\da-f]{16}$/),
        kind: 'turn',
        project: 'home',
        body: 'Thanks.',
        session,
        position: 9,
        createdAt: now,
        updatedAt: now,
        metadata: { app: 'x', role: 'user' },
      },
    ])
  })

  test('read the text of parts, and leave out other parts, other roles and turns without text', () => {
    const messages: Message[] = [
      { role: 'system', content: 'You are helpful.' },
      {
        role: 'user',
        parts: [{ type: 'text', text: 'Look at this.' }, { type: 'file' }, { type: 'text', text: 'And this.' }],
      },
      { role: 'assistant', content: [{ type: 'tool-call' }] },
      { role: 'assistant', content: ' \n ' },
      { role: 'assistant', content: null },
      { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
    ]
    const records = messagesToRecords(messages, { session })
    expect(records.map(({ body, position }) => [body, position])).toEqual([
      ['Look at this.\n\nAnd this.', 0],
      ['Well?', 1],
    ])
    expect(messagesToRecords(messages, { session, roles: ['system'] }).map(({ body }) => body)).toEqual([
      'You are helpful.',
    ])
    expect(records[0]).not.toHaveProperty('createdAt')
  })

  test('split a long turn into records that follow each other', () => {
    const paragraph = (word: string) => Array.from({ length: 15 }, () => word).join(' ')
    const content = ['one', 'two', 'three'].map(paragraph).join('\n\n')
    const records = messagesToRecords(
      [
        { id: 'a', role: 'user', content },
        { id: 'b', role: 'user', content: 'end' },
      ],
      {
        session,
        maxWords: 30,
      },
    )
    expect(records.map(({ id, position }) => [id, position])).toEqual([
      ['trip/a', 0],
      ['trip/a#2', 1],
      ['trip/b', 2],
    ])
    expect(records[0]?.body).toBe(`${paragraph('one')}\n\n${paragraph('two')}`)
    for (const record of records) expect(parseRecord(record).id).toBe(record.id)
  })

  test('without ids get one from role, time and text, and equal ones of one call stay apart', () => {
    const ids = (...messages: Message[]) => messagesToRecords(messages, { session }).map(({ id }) => id!)
    const ok: Message = { role: 'user', content: 'ok' }
    const [first, second, third] = ids(ok, { ...ok, role: 'assistant' }, ok)
    expect(new Set([first, second, third, ...ids({ ...ok, createdAt: 1 })]).size).toBe(4)
    expect(third).toBe(`${first}~2`)
    expect(ids(ok, { role: 'user', content: 'new' }, ok).slice(0, 3)).toEqual([first, expect.any(String), third])
  })

  test('get positions that rise with time, so that a later call continues the session', () => {
    const at = (createdAt: number, content: string): Message => ({ role: 'user', content, createdAt })
    const long = Array.from({ length: 30 }, () => 'oak').join(' ')
    const positions = (messages: readonly Message[]) =>
      messagesToRecords(messages, { session, position: 'time', maxWords: 20 }).map(({ position }) => position)
    expect(positions([at(5, 'one'), at(5, long), at(9, 'end')])).toEqual([5_000, 5_001, 5_002, 9_000])
    expect(positions([at(9, 'end')])).toEqual([9_000])
    // A message that has an earlier time than the one before it still follows it.
    expect(positions([at(9, 'first'), at(7, 'second')])).toEqual([9_000, 9_001])
  })

  test.each<[string, unknown, unknown, string]>([
    [
      'positions by time without a time',
      [{ role: 'user', content: 'x' }],
      { session, position: 'time' },
      'messages[0].createdAt',
    ],
    ['no list', 'hello', { session }, 'messages'],
    ['no session', [], {}, 'options.session'],
    ['no options', [], undefined, 'options'],
    ['a position between two', [], { session, position: 0.5 }, 'options.position'],
    ['chunks of a few words', [], { session, maxWords: 3 }, 'options.maxWords'],
    ['roles as a text', [], { session, roles: 'user' }, 'options.roles'],
    ['fields as a list', [], { session, record: [] }, 'options.record'],
    ['a message without a role', [{ role: 'user', content: '' }, { content: 'x' }], { session }, 'messages[1].role'],
    ['a text as a message', ['x'], { session }, 'messages[0]'],
    ['a number as text', [{ role: 'user', content: 3 }], { session }, 'messages[0].content'],
    [
      'a part without text',
      [{ role: 'user', content: [{ type: 'text' }] }],
      { session },
      'messages[0].content[0].text',
    ],
    ['a time in words', [{ role: 'user', content: 'x', createdAt: 'soon' }], { session }, 'messages[0].createdAt'],
    ['an empty id', [{ id: '', role: 'user', content: 'x' }], { session }, 'messages[0].id'],
  ])('[E1] refuse %s, and name the field', (_name, messages, options, field) => {
    expect(() => messagesToRecords(messages as Message[], options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', field, hint: expect.any(String) }),
    )
  })
})

describe('chunks of a turn', () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean)

  test('hold all words in order, each chunk at most so many', () => {
    const text = fc
      .array(fc.constantFrom('jay', 'oak', '.', '!', ' ', '\n', '\n\n', ' acorn'), { maxLength: 400 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (turn, most) => {
        const chunks = splitTurn(turn, most)
        expect(chunks.flatMap(words).join('')).toBe(words(turn).join(''))
        for (const chunk of chunks) {
          expect(chunk).toBe(chunk.trim())
          expect(words(chunk).length).toBeGreaterThan(0)
        }
      }),
      { seed: 71, numRuns: 300 },
    )
  })

  test.each<[string, string, readonly string[]]>([
    ['paragraphs', 'a b c\n\nd e\n\nf g h', ['a b c\n\nd e', 'f g h']],
    ['lines', 'a b c\nd e\nf g h', ['a b c\nd e', 'f g h']],
    ['sentences', 'A b c. D e! “F g h?” I j.', ['A b c. D e!', '“F g h?” I j.']],
    ['words', 'a b c d e f g', ['a b c d e', 'f g']],
  ])('end at %s', (_name, text, expected) => {
    expect(splitTurn(text, 5)).toEqual(expected)
  })
})

/** The reader of transcripts of Claude Code. */
import { describe, expect, test } from 'vitest'
import { isComplete, read } from './read.ts'

const common = { sessionId: 's1', parentUuid: null, isSidechain: false, cwd: '/home/me/site' }
const at = (minute: number) => `2026-11-18T09:0${minute}:00.000Z`
const line = (type: string, uuid: string, minute: number, content: unknown, more: object = {}) => ({
  ...common,
  type,
  uuid,
  timestamp: at(minute),
  message: { role: type, content },
  ...more,
})
const useOfTool = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'deploy.yml' } }
const lines = [
  { type: 'file-history-snapshot', messageId: 'm0', snapshot: {} },
  line('user', 'u1', 1, 'When do we deploy?'),
  line('assistant', 'a1', 2, [{ type: 'thinking', thinking: 'It may be in a file.' }]),
  line('assistant', 'a2', 2, [{ type: 'text', text: 'I read the settings.' }, useOfTool]),
  line('user', 'u2', 3, [{ type: 'tool_result', tool_use_id: 't1', content: 'cron: 0 9 * * 5' }]),
  line('assistant', 'a3', 4, [{ type: 'text', text: 'On Fridays at nine.' }], {
    message: { role: 'assistant', model: 'm', content: [{ type: 'text', text: 'On Fridays at nine.' }] },
  }),
  line('user', 'u3', 5, 'Caveat: the messages below', { isMeta: true }),
  line('user', 'u4', 5, '<command-name>/clear</command-name>'),
  line('user', 'u5', 6, [
    { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
    { type: 'text', text: 'Move it to Monday.' },
    { type: 'image', source: { type: 'base64', data: 'AAAA' } },
  ]),
  line('assistant', 'a4', 7, [{ type: 'text', text: 'Searching' }], { isSidechain: true }),
  line('user', 'u6', 8, 'The deploy was moved.', { isCompactSummary: true }),
]
const transcript = (all: readonly unknown[]) => ({
  name: 's1.jsonl',
  text: all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
})

describe('Claude Code', () => {
  test('words of the user and the assistant are turns of a session, in order', async () => {
    const { records, report, byId } = await read(transcript(lines))
    expect(records.map(({ body, position }) => [body, position])).toEqual([
      ['When do we deploy?', 0],
      ['I read the settings.', 1],
      ['On Fridays at nine.', 2],
      ['Move it to Monday.', 3],
      ['The deploy was moved.', 4],
    ])
    expect(byId.get('claude-code:s1/a3')).toMatchObject({
      kind: 'turn',
      session: 'claude-code:s1',
      createdAt: Date.parse(at(4)),
      metadata: { role: 'assistant', model: 'm', folder: '/home/me/site', import: { kind: 'claude-code' } },
    })
    expect(byId.get('claude-code:s1/u6')?.kind).toBe('memory')
    expect(report).toMatchObject({ records: 5, left: 6, leftByCode: { empty: 3, unknown: 3 } })
    expect(isComplete(report)).toBe(true)
  })

  test('a transcript that grew has the same records, and then the new ones', async () => {
    const { records } = await read(transcript(lines))
    for (const length of lines.keys()) {
      const { records: earlier } = await read(transcript(lines.slice(0, length)))
      expect(earlier.length).toBe([0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4][length])
      expect(earlier).toEqual(records.slice(0, earlier.length))
    }
  })

  test('hostile lines are listed, and the turns around them are kept', async () => {
    const hostile = [
      '{"type":"user","message":',
      '[1]',
      'null',
      { ...common, type: 'user', uuid: 'x' },
      { ...common, type: 'user', message: 'text', uuid: 'x' },
      line('user', '', 1, 'No id'),
      line('user', 'x', 1, 'No session', { sessionId: 7 }),
      line('user', 'u1', 1, 'The id of an earlier turn'),
      line('user', 'y', 1, { type: 'text', text: 'Not a list' }),
      line('user', 'z', 1, [null, 7, { type: 'text' }, { type: 'text', text: null }]),
      { type: 'user', __proto__: null, message: { content: 'x' } },
    ]
    const { records, report } = await read(transcript([...lines, ...hostile, line('user', 'last', 9, 'The last turn')]))
    expect(records.at(-1)?.body).toBe('The last turn')
    expect(records).toHaveLength(6)
    expect(report.leftByCode).toEqual({ empty: 5, unknown: 3, damaged: 8, duplicate: 1 })
    expect(report.listed.find(({ code }) => code === 'damaged')).toMatchObject({ file: 's1.jsonl', part: 'line 12' })
    expect(isComplete(report)).toBe(true)
  })

  test('control: rows of another program stay rows', async () => {
    const { report } = await read({ name: 'rows.jsonl', text: '{"sessionId":"s","text":"a row"}' })
    expect(report.kinds).toEqual({ 'json-lines': 1 })
  })
})

/** Readers of chats, memories, bookmarks and history. */
import { describe, expect, test } from 'vitest'
import { isComplete, read } from './read.ts'

const message = (role: string, text: string, more: object = {}) => ({
  author: { role },
  create_time: 1_700_000_000,
  content: { content_type: 'text', parts: [text] },
  ...more,
})

describe('ChatGPT', () => {
  const conversation = {
    title: 'Sourdough',
    conversation_id: 'c1',
    current_node: 'd',
    mapping: {
      root: { id: 'root', message: null, parent: null, children: ['a'] },
      a: { id: 'a', message: message('user', 'How wet is the dough?'), parent: 'root', children: ['b', 'c'] },
      b: { id: 'b', message: message('assistant', 'First answer'), parent: 'a', children: [] },
      c: {
        id: 'c',
        message: message('assistant', 'Second answer: 70 %', { metadata: { model_slug: 'm' } }),
        parent: 'a',
        children: ['d'],
      },
      d: {
        id: 'd',
        message: message('tool', 'search result', { metadata: { attachments: [{ name: 'a.pdf' }] } }),
        parent: 'c',
        children: ['e'],
      },
      e: { id: 'e', message: message('system', ''), parent: 'd', children: [] },
    },
  }

  test('a conversation is a session in the order that the app shows; other branches name their parent', async () => {
    const { records, report, byId } = await read({ name: 'conversations.json', text: JSON.stringify([conversation]) })
    const shown = records.filter(({ metadata }) => metadata?.['branch'] === undefined)
    expect(shown.map(({ body, position }) => [body, position])).toEqual([
      ['How wet is the dough?', 1],
      ['Second answer: 70 %', 2],
      ['search result', 3],
    ])
    expect(new Set(records.map(({ session }) => session))).toEqual(new Set(['chatgpt:c1']))
    expect(byId.get('chatgpt:c1/c')).toMatchObject({
      title: 'Sourdough',
      createdAt: 1_700_000_000_000,
      metadata: { role: 'assistant', model: 'm' },
    })
    expect(byId.get('chatgpt:c1/b')).toMatchObject({
      metadata: { branch: 'other' },
      relations: [{ kind: 'replies_to', target: 'chatgpt:c1/a' }],
    })
    expect(byId.get('chatgpt:c1/d')?.kind).toBe('tool')
    expect(report).toMatchObject({ records: 4, joined: 1, left: 1, leftByCode: { empty: 1 } })
  })

  test('a loop of parents ends, and damaged conversations are listed between whole ones', async () => {
    const loop = {
      title: 'Loop',
      id: 'c2',
      current_node: 'x',
      mapping: {
        x: { message: message('user', 'one'), parent: 'y' },
        y: { message: message('user', 'two'), parent: 'x' },
      },
    }
    const text = `[${JSON.stringify(conversation)}, {"mapping": 3}, {"bad": tru}, ${JSON.stringify(loop)}, {"title": "cut`
    const { report, byId } = await read({ name: 'conversations.json', text })
    expect(byId.has('chatgpt:c2/y')).toBe(true)
    expect(report.listed.filter(({ code }) => code === 'damaged').map(({ part }) => part)).toEqual([
      'conversation 2',
      'conversation 3',
      'conversation 5',
    ])
    expect(isComplete(report)).toBe(true)
  })
})

test('Claude: messages, attachments with their text, tool calls and documents of projects', async () => {
  const conversation = {
    uuid: 'k1',
    name: 'Tax',
    chat_messages: [
      {
        uuid: 'm1',
        sender: 'human',
        created_at: '2025-01-02T03:04:05Z',
        text: 'Look at this',
        content: [{ type: 'text', text: 'Look at this' }],
        attachments: [{ file_name: 'bill.txt', extracted_content: 'Total 12 euro' }],
        files: [{ file_name: 'scan.png' }],
      },
      {
        uuid: 'm2',
        sender: 'assistant',
        content: [
          { type: 'text', text: 'It is 12 euro.' },
          { type: 'tool_use', name: 'search', input: { q: 'vat' } },
        ],
      },
      { uuid: 'm3', sender: 'human', text: '', content: [] },
    ],
  }
  const project = {
    uuid: 'p1',
    name: 'Law',
    description: 'Notes',
    prompt_template: '',
    docs: [
      { uuid: 'd1', filename: 'Act.md', content: 'Section 1' },
      { uuid: 'd2', content: '' },
    ],
  }
  const { report, byId } = await read([
    { name: 'conversations.json', text: JSON.stringify([conversation]) },
    { name: 'projects.json', text: JSON.stringify([project]) },
  ])
  expect(byId.get('claude:k1/m1')).toMatchObject({
    session: 'claude:k1',
    title: 'Tax',
    createdAt: Date.parse('2025-01-02T03:04:05Z'),
    metadata: { role: 'user', attachments: ['scan.png'] },
  })
  expect(byId.get('claude:k1/m1/attachment 1')).toMatchObject({
    title: 'bill.txt',
    body: 'Total 12 euro',
    kind: 'attachment',
  })
  expect(byId.get('claude:k1/m2/tool 1')).toMatchObject({ kind: 'tool', body: 'search: {"q":"vat"}' })
  expect(byId.get('claude:project/p1/d1')).toMatchObject({ title: 'Act.md', body: 'Section 1' })
  expect(report).toMatchObject({ records: 6, joined: 1, left: 2, leftByCode: { empty: 2 } })
})

test('Gemini: an entry of Takeout is a question and its answer', async () => {
  const entries = [
    {
      header: 'Gemini Apps',
      title: 'Prompted best rye flour',
      time: '2024-06-01T10:00:00.123Z',
      safeHtmlItem: [{ html: '<p>Use <b>type 1150</b>.</p>' }],
    },
  ]
  const { records } = await read({ name: 'MyActivity.json', text: JSON.stringify(entries) })
  expect(records.map(({ body, metadata }) => [metadata?.['role'], body])).toEqual([
    ['user', 'best rye flour'],
    ['assistant', 'Use type 1150.'],
  ])
})

describe('memories', () => {
  test('mem0: lists and results', async () => {
    const memory = {
      id: 'u1',
      memory: 'Anna likes rye',
      user_id: 'anna',
      categories: ['food'],
      created_at: '2025-01-01T00:00:00Z',
      metadata: { a: 1 },
    }
    for (const text of [JSON.stringify([memory]), JSON.stringify({ results: [memory] })]) {
      const { records } = await read({ name: 'memories.json', text })
      expect(records).toEqual([
        expect.objectContaining({
          id: 'mem0:u1',
          body: 'Anna likes rye',
          tags: ['food'],
          metadata: expect.objectContaining({ user_id: 'anna', a: 1 }),
        }),
      ])
    }
  })

  test('mem0: the names of its library for Node', async () => {
    const memory = {
      id: 'u2',
      memory: 'Anna moved',
      userId: 'anna',
      agentId: 'helper',
      runId: 'r1',
      createdAt: '2026-01-05T10:00:00Z',
      updatedAt: '2026-01-06T10:00:00Z',
    }
    const { records } = await read({ name: 'memories.json', text: JSON.stringify({ results: [memory] }) })
    expect(records).toEqual([
      expect.objectContaining({
        id: 'mem0:u2',
        createdAt: Date.UTC(2026, 0, 5, 10),
        updatedAt: Date.UTC(2026, 0, 6, 10),
        agent: 'helper',
        session: 'r1',
        metadata: { import: { kind: 'mem0', path: 'memories.json' }, userId: 'anna' },
      }),
    ])
  })

  test('the MCP memory server: entities, observations and relations; a damaged line is listed', async () => {
    const lines = [
      { type: 'entity', name: 'Anna_Weiss', entityType: 'person', observations: ['owns the house', 'likes rye'] },
      { type: 'relation', from: 'Anna_Weiss', to: 'Berlin', relationType: 'lives_in' },
      { type: 'relation', from: 'Nobody', to: 'Berlin', relationType: 'lives_in' },
    ]
    const { records, report } = await read({
      name: 'memory.json',
      text: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"entity"`,
    })
    expect(records).toEqual([
      expect.objectContaining({
        id: 'mcp-memory:Anna_Weiss',
        title: 'Anna Weiss',
        body: 'owns the house\nlikes rye',
        tags: ['person'],
        relations: [{ kind: 'lives_in', target: 'mcp-memory:Berlin' }],
      }),
    ])
    expect(report).toMatchObject({ records: 1, joined: 1, left: 2, leftByCode: { damaged: 2 } })
  })

  test('LangGraph: items of a list and rows of a table', async () => {
    const item = {
      namespace: ['users', 'anna'],
      key: 'k',
      value: { text: 'likes rye' },
      createdAt: '2025-01-01T00:00:00Z',
    }
    const row = { prefix: 'users.anna', key: 'j', value: { text: 'likes wheat' }, created_at: '2025-01-01 00:00:00+00' }
    const { records } = await read([
      { name: 'a.json', text: JSON.stringify([item]) },
      { name: 'b.jsonl', text: JSON.stringify(row) },
    ])
    expect(records.map(({ id, body }) => [id, body])).toEqual([
      ['langgraph:[["users","anna"],"k"]', 'likes rye'],
      ['langgraph:[["users","anna"],"j"]', 'likes wheat'],
    ])
  })
})

describe('browsers', () => {
  test('bookmarks have their folders as tags; scripts are listed', async () => {
    const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1><DL><p>
<DT><H3>Bread</H3><DL><p><DT><A HREF="https://example.org/rye" ADD_DATE="1700000000" TAGS="flour">Rye &amp; more</A><DD>The best page
<DT><A HREF="javascript:alert(1)">Run</A></DL><p><DT><A HREF="https://example.org/">Home</A></DL>`
    const { records, report } = await read({ name: 'bookmarks.html', text })
    expect(records.map(({ title, tags = [], body }) => [title, tags, body])).toEqual([
      ['Rye & more', ['Bread', 'flour'], 'The best page\nhttps://example.org/rye'],
      ['Home', [], 'https://example.org/'],
    ])
    expect(records[0]?.createdAt).toBe(1_700_000_000_000)
    expect(report.listed).toEqual([expect.objectContaining({ code: 'unknown' })])
  })

  test('visits of one page are one record', async () => {
    const visits = [
      { title: 'Rye', url: 'https://example.org/rye', time_usec: 1_700_000_000_000_000 },
      { title: 'Rye', url: 'https://example.org/rye', time_usec: 1_600_000_000_000_000 },
    ]
    const { records, report } = await read({
      name: 'BrowserHistory.json',
      text: JSON.stringify({ 'Browser History': visits }),
    })
    expect(records).toEqual([
      expect.objectContaining({
        kind: 'visit',
        title: 'Rye',
        createdAt: 1_600_000_000_000,
        updatedAt: 1_700_000_000_000,
        metadata: expect.objectContaining({ visits: 2 }),
      }),
    ])
    expect(report).toMatchObject({ records: 1, joined: 1 })
  })
})

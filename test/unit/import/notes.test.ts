/** Readers of notes: Markdown of several apps, plain text and pages. */
import { describe, expect, test } from 'vitest'
import { read } from './read.ts'

const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const codeBlock = '```sh\n# a comment, [[no link]] #notag\nrm -rf build\n```'
const vault = [
  {
    path: 'House move.md',
    text: `---\ntitle: The house move\ncreated: 2026-03-02\nupdated: 2026-03-05T10:00:00Z\ntags: [home, "big/plan"]\naliases:\n  - Umzug\nstatus: open\n---\n# The house move\n\nSee [[Landlord Weiss|the landlord]], ![[plan.png]] and [the day](Daily/2026-11-18.md). #todo\n\n${codeBlock}\n`,
  },
  { path: 'Daily/2026-11-18.md', text: 'Lunch with Priya about the [[umzug]] and [[Nobody]].', lastModified: 5 },
  {
    path: 'Landlord Weiss.md',
    text: 'alias:: Weiss\ntags:: people, [[real estate]]\n- Rent is due #[[first of month]]\n',
  },
  {
    path: 'daily.journal.2024.01.05.md',
    text: '---\nid: x1\ntitle: 5 January\ncreated: 1704445200000\n---\n\nA quiet day.',
  },
  { path: 'journals/2024_02_29.md', text: '- Leap day' },
  { path: 'a___b.md', text: 'A page of a namespace.' },
  { path: 'empty.md', text: '' },
  { path: 'Only a heading.md', text: '# Seen from above\n' },
]

describe('Markdown', () => {
  test('has titles, tags, other names, times and fields of its front matter', async () => {
    const { byId } = await read(vault)
    expect(byId.get('file:House move.md')).toMatchObject({
      title: 'The house move',
      tags: ['home', 'big/plan', 'todo'],
      terms: [{ term: 'Umzug', kind: 'alias' }],
      createdAt: day('2026-03-02'),
      updatedAt: Date.parse('2026-03-05T10:00:00Z'),
      metadata: { status: 'open', attachments: ['plan.png'], import: { kind: 'markdown', path: 'House move.md' } },
    })
  })

  test('links and embeds are relations, by name, other name and path; names without a note are kept', async () => {
    const { byId } = await read(vault)
    expect(byId.get('file:House move.md')?.relations).toEqual([
      { kind: 'links_to', target: 'file:Landlord Weiss.md' },
      { kind: 'links_to', target: 'file:Daily/2026-11-18.md' },
    ])
    expect(byId.get('file:Daily/2026-11-18.md')).toMatchObject({
      relations: [{ kind: 'links_to', target: 'file:House move.md' }],
      metadata: { missing: ['Nobody'] },
    })
  })

  test('the text stays whole, with its code; signs in code are neither tags nor links', async () => {
    const { byId } = await read(vault)
    const { body = '' } = byId.get('file:House move.md') ?? {}
    expect(body).toContain(codeBlock)
    expect(body).toMatch(/^See /)
  })

  test('daily notes of Obsidian, Logseq and Dendron happened on their day', async () => {
    const { byId } = await read(vault)
    expect(byId.get('file:Daily/2026-11-18.md')).toMatchObject({
      occurredAt: day('2026-11-18'),
      createdAt: day('2026-11-18'),
      updatedAt: 5,
    })
    expect(byId.get('file:journals/2024_02_29.md')?.occurredAt).toBe(day('2024-02-29'))
    expect(byId.get('file:daily.journal.2024.01.05.md')).toMatchObject({
      title: '5 January',
      occurredAt: day('2024-01-05'),
      createdAt: 1704445200000,
    })
    const { byId: berlin } = await read(vault, { timeZone: 'Europe/Berlin' })
    expect(berlin.get('file:Daily/2026-11-18.md')?.occurredAt).toBe(day('2026-11-18') - 3_600_000)
  })

  test('page properties and names of Logseq are read', async () => {
    const { byId } = await read(vault)
    expect(byId.get('file:Landlord Weiss.md')).toMatchObject({
      tags: ['people', 'real estate', 'first of month'],
      terms: [{ term: 'Weiss', kind: 'alias' }],
    })
    expect(byId.get('file:a___b.md')?.title).toBe('a/b')
  })

  test('an empty note is listed; one with a heading alone has it as its title', async () => {
    const { byId, report } = await read(vault)
    expect(byId.get('file:Only a heading.md')).toMatchObject({ title: 'Seen from above' })
    expect(report.listed).toEqual([expect.objectContaining({ file: 'empty.md', code: 'empty' })])
    expect(report).toMatchObject({ files: vault.length, records: vault.length - 1, joined: 1, left: 1 })
  })

  test('front matter that YAML cannot read stays in the text, with a warning', async () => {
    const text = '---\ntitle: [open\n---\n\nBody.'
    const { records, report } = await read([{ path: 'a.md', text }])
    expect(records[0]).toMatchObject({ title: 'a', body: text })
    expect(report.warnings).toEqual([
      expect.objectContaining({ file: 'a.md', message: expect.stringContaining('front matter') }),
    ])
  })

  test('a link finds the note in its folder first, then the one with the shortest path', async () => {
    const files = ['x/Note.md', 'y/z/Note.md', 'y/From.md', 'y/z/From.md'].map((path) => ({
      path,
      text: 'See [[Note]].',
    }))
    const { byId } = await read(files)
    expect(byId.get('file:y/z/From.md')?.relations).toEqual([{ kind: 'links_to', target: 'file:y/z/Note.md' }])
    expect(byId.get('file:y/From.md')?.relations).toEqual([{ kind: 'links_to', target: 'file:x/Note.md' }])
  })
})

test('a plain text has the name of its file as its title', async () => {
  const { records } = await read([{ name: 'Shopping 2026-01-09.txt', text: 'Bread and\r\nmilk' }])
  expect(records).toEqual([
    expect.objectContaining({
      id: 'file:Shopping 2026-01-09.txt',
      title: 'Shopping 2026-01-09',
      body: 'Bread and\nmilk',
      occurredAt: day('2026-01-09'),
    }),
  ])
})

test('a file without an ending is a text in any script; settings are listed', async () => {
  const { records, report } = await read([
    { name: 'README', text: 'Bread and milk' },
    { name: 'メモ', text: '牛乳とパンを買う' },
    { name: 'จด', text: 'ซื้อนมและขนมปัง' },
    { name: 'config', text: '[core] x = 1; {y} = <2>' },
  ])
  expect(records.map(({ title }) => title)).toEqual(['README', 'メモ', 'จด'])
  expect(report.leftByCode).toEqual({ unknown: 1 })
})

describe('HTML', () => {
  const page = `<!doctype html><html><head><title>Rye  bread</title><link rel="canonical" href="https://example.org/rye">
    <meta property="article:published_time" content="2025-05-04T08:00:00Z"><script>var hidden = 1</script></head>
    <body><nav>Home</nav><main><h2>Dough</h2><p>Mix <b>flour</b> &amp; water.</p><ul><li>Rest</li></ul>
    <pre>for x in y:\n  bake(x)</pre><p hidden>secret</p></main><footer>Imprint</footer></body></html>`

  test('is its readable text, with title, address and time', async () => {
    const { records } = await read([{ name: 'rye.html', text: page }])
    expect(records[0]).toMatchObject({
      kind: 'page',
      title: 'Rye bread',
      source: 'https://example.org/rye',
      createdAt: Date.parse('2025-05-04T08:00:00Z'),
    })
    expect(records[0]?.body).toBe('## Dough\n\nMix flour & water.\n\n- Rest\n\n```\nfor x in y:\n  bake(x)\n```')
  })

  test('nested deep is read; nested deeper than the parser bears is listed', async () => {
    const deep = (depth: number) => [{ name: 'deep.html', text: `<html>${'<div>'.repeat(depth)}found` }]
    expect((await read(deep(5_000))).records[0]?.body).toBe('found')
    expect((await read(deep(50_000))).report.leftByCode).toEqual({ damaged: 1 })
  })
})

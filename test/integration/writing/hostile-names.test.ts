/** Uses the names of inherited members wherever an app chooses a name: each is a name like any other. */
import { describe, expect, test } from 'vitest'
import { openRecall, policies } from '../../../src/index.ts'

const names = [
  'prototype',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  '__proto__',
  '__defineGetter__',
  'then',
  'length',
  'name',
]
const now = () => Date.UTC(2026, 0, 1)

/** An object that has `__proto__` as a member of its own. */
const objectOf = (name: string, value: unknown): Record<string, unknown> =>
  JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as Record<string, unknown>

describe.each(names)('%s', (name) => {
  const open = (more: object = {}) =>
    openRecall({ name: `names ${name}`, storage: 'memory', embedder: null, now, ...more })

  test('as a declared metadata key, with and without a value', async () => {
    if (['__proto__', 'constructor', 'prototype'].includes(name)) {
      // Records refuse such keys, so no store can declare them.
      await expect(open({ metadataKeys: [name] })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        field: 'metadataKeys[0]',
      })
      return
    }
    const recall = await open({ metadataKeys: [name] })
    await recall.put([
      { id: 'with', body: 'jay', metadata: objectOf(name, 'x') as never },
      { id: 'without', body: 'jay' },
    ])
    expect(await recall.get(['with', 'without'])).toMatchObject([{ id: 'with' }, { id: 'without', metadata: {} }])
    expect(Object.hasOwn((await recall.get(['with']))[0]!.metadata, name)).toBe(true)
    const scope = { metadata: objectOf(name, 'x') as never }
    expect((await recall.recall({ text: 'jay', scope })).hits.map(({ id }) => id)).toEqual(['with'])
    const counted = await recall.facets({ keys: [`metadata.${name}`] })
    expect(JSON.stringify(counted)).toContain('"x"')
    await recall.close()
  })

  test('as id, kind, project, session, tag, relation and title', async () => {
    const recall = await open()
    const { records } = await recall
      .put({
        id: name,
        kind: name,
        project: name,
        session: name,
        topic: name,
        agent: name,
        bank: name,
        tags: [name],
        title: name,
        body: name,
        position: 1,
        relations: [{ type: 'about', to: name }],
      } as never)
      .catch(() =>
        recall.put({
          id: name,
          kind: name,
          project: name,
          session: name,
          topic: name,
          agent: name,
          bank: name,
          tags: [name],
          title: name,
          body: name,
          position: 1,
        }),
      )
    expect(records[0]!.outcome).toBe('inserted')
    expect(
      (
        await recall.recall({
          text: name,
          prefer: { project: name, kind: name },
          scope: { tags: { all: [name] } },
          explain: true,
          ledger: true,
        })
      ).hits[0]?.id,
    ).toBe(name)
    expect(await recall.facets({ keys: ['kind', 'project', 'tags'] })).toBeDefined()
    expect(await recall.tags()).toEqual([{ tag: name, count: 1 }])
    expect((await recall.suggest(name.slice(0, 4))).length).toBeGreaterThanOrEqual(0)
    await recall.link(name, name).catch((error: { code: string }) => expect(error.code).toMatch(/^[A-Z_]+$/))
    expect(JSON.stringify(await recall.assemble({ cues: objectOf(name, name) as never, maxTokens: 500 }))).toContain(
      name,
    )
    expect((await recall.forget(name)).forgotten).toEqual([name])
    await recall.close()
  })

  test('as the name of a policy, and as a word with synonyms', async () => {
    const recall = await open()
    await recall.put({ id: 'a', body: 'jay' })
    await expect(recall.recall({ text: 'jay', policy: name as never })).rejects.toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
    })
    const policy = { ...policies.balanced, synonyms: objectOf(name, ['jay']) as never }
    expect((await recall.recall({ text: name, policy })).hits.map(({ id }) => id)).toEqual(
      /[a-z]/.test(name) ? ['a'] : [],
    )
    expect((await recall.recall({ text: 'jay' })).hits).toHaveLength(1)
    await recall.close()
  })

  test('as a field that does not exist: a typed error that names it', async () => {
    const recall = await open()
    for (const call of [
      () => recall.put({ id: 'a', body: 'x', ...objectOf(name, 1) } as never),
      () => recall.recall({ text: 'x', ...objectOf(name, 1) } as never),
      () => recall.list({ ...objectOf(name, 1) } as never),
      () => recall.count({ ...objectOf(name, 'x') } as never),
      () => recall.patch('a', objectOf(name, 1) as never),
    ]) {
      const error = await call().then(
        () => null,
        (reason: unknown) => reason,
      )
      // A spread sets the prototype instead of a member.
      if (name === '__proto__') continue
      expect(error).toMatchObject({ name: 'RecallError' })
    }
    await recall.close()
  })
})

test('the severity of a risk is that of its flag, and another one is refused', async () => {
  const recall = await openRecall({ name: 'risks', storage: 'memory', embedder: null, now })
  await recall.put({ id: 'a', body: 'x' })
  await recall.setRisks('a', [{ flag: 'governance_applies' }])
  const { risks } = (await recall.get(['a']))[0]!
  await recall.setRisks('a', risks as never)
  await expect(recall.setRisks('a', [{ flag: 'governance_applies', severity: 'none' } as never])).rejects.toMatchObject(
    { field: 'risks[0].severity' },
  )
  await expect(recall.setRisks('a', [{ flag: 'governance_applies', note: 'x' } as never])).rejects.toMatchObject({
    field: 'risks[0].note',
  })
  await expect(recall.setReasons('a', [{ code: 'user_pinned', note: 'x' } as never])).rejects.toMatchObject({
    field: 'reasons[0].note',
  })
  await recall.close()
})

test('forget refuses every scope that contains all records, and changes nothing', async () => {
  const recall = await openRecall({ name: 'all', storage: 'memory', embedder: null, now })
  await recall.put([
    { id: 'a', body: 'x' },
    { id: 'b', body: 'y', tags: ['t'] },
  ])
  for (const scope of [
    {},
    { tags: { none: [] } },
    { tags: { all: [], none: [] } },
    { time: { after: -8.64e15 } },
    { status: ['active', 'proposed', 'superseded', 'deprecated', 'conflicted'] as const },
    { metadata: {} },
  ])
    await expect(recall.forget(scope), JSON.stringify(scope)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'scope',
    })
  expect(await recall.count()).toBe(2)
  expect((await recall.forget({ tags: { none: ['t'] } })).forgotten).toEqual(['a'])
  await recall.close()
})

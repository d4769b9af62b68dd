/** Checks that the diagram of docs/architecture.md is that of the imports. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { diagramIn, diagramOf, readArrows } from '../../../docs/generate/diagram.ts'

test('the diagram of docs/architecture.md is that of the imports; `npx tsx docs/generate/diagram.ts` writes it', () => {
  const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8')
  expect(diagramIn(page)).toBe(diagramOf(readArrows()))
})

test('a room is above those that it imports, and an arrow that follows from others is left out', () => {
  const arrows = new Map([
    ['src/a', new Set(['src/b', 'src/c'])],
    ['src/b', new Set(['src/c'])],
    ['src/c', new Set<string>()],
  ])
  expect(diagramOf(arrows)).toBe('```text\n 3 src/a ─▶ src/b\n 2 src/b ─▶ src/c\n 1 src/c\n```')
})

test('control: a new arrow changes the diagram, and a circle is refused', () => {
  const arrows = new Map(readArrows())
  const before = diagramOf(arrows)
  arrows.set('worker/kernel', new Set(['src/protocol']))
  expect(diagramOf(arrows)).not.toBe(before)
  arrows.set('src/core', new Set(['worker/engine']))
  expect(() => diagramOf(arrows)).toThrow('A circle of imports')
})

/** Tests that every page of every order of `list` is read from an index, and nothing is sorted. */
import { expect, test } from 'vitest'
import { all } from '../../../worker/sqlite/database.ts'
import { pageSql, partsOf } from '../../../worker/store/queries/pages.ts'
import { openOver } from '../../support/stores/open-over.ts'

const { database } = await openOver()
const planOf = (sql: string, count: number) =>
  all(database, `EXPLAIN QUERY PLAN ${sql}`, Array<number>(count).fill(1), (row) => row.text(3)).join('\n')

const positions = [null, { value: 'jay', id: 'a' }, { value: null, id: 'a' }] as const

test.each(['updatedAt', 'createdAt', 'occurredAt', 'title'] as const)('pages by %s need no sorting', (by) => {
  for (const direction of ['asc', 'desc'] as const) {
    for (const position of positions) {
      for (const part of partsOf(by, direction, position)) {
        const plan = planOf(pageSql(part, direction), part.bind.length + 1)
        expect(plan).toMatch(/^(SEARCH|SCAN) r USING (COVERING )?INDEX records_(updated|created|occurred|title)/)
        expect(plan).not.toContain('TEMP B-TREE')
        // After a position, nothing before it is read.
        if (part.bind.length > 0) expect(plan).toContain('SEARCH')
      }
    }
  }
})

test('control: without its index an order is sorted', () => {
  expect(planOf(`SELECT r.key FROM records r ORDER BY r.importance, r.id LIMIT ?`, 1)).toContain('TEMP B-TREE')
})

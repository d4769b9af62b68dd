/**
 * [T7] Checks that no mutant of an export is imported and that none does harm. More of them: `node
 * test/torture/run.mjs t7 --mutants 100000`.
 */
import { expect, test } from 'vitest'
import { runMutants } from '../../torture/t7/mutants.ts'

const count = 300

test('[T7] each of hundreds of mutants is refused with nothing changed; of those with new checksums some are imported, complete and sound', async () => {
  const { refused, landed, failures, codes } = await runMutants({ from: 1, count })
  expect(failures).toEqual([])
  expect(refused + landed).toBeGreaterThan(0.95 * count)
  expect(Object.keys(codes)).toEqual(expect.arrayContaining(['INVALID_ARGUMENT', 'INVALID_RECORD']))
  // Control: checksums do not hide the checks behind them.
  expect(landed).toBeGreaterThan(count / 100)
}, 240_000)

/** Tests that a program that tests need is not missed without a word where CI is set. */
import { afterEach, expect, test, vi } from 'vitest'
import { missing } from '../../support/stand-ins/missing.ts'

afterEach(() => vi.unstubAllEnvs())

test('a missing program leaves tests out on a desktop, and fails under CI', () => {
  for (const ci of [undefined, '', 'false']) {
    vi.stubEnv('CI', ci)
    expect(missing(true, 'no server')).toBe('no server')
  }
  for (const ci of ['true', '1']) {
    vi.stubEnv('CI', ci)
    expect(() => missing(true, 'no server')).toThrow('no server')
  }
  for (const ci of [undefined, 'true']) {
    vi.stubEnv('CI', ci)
    expect(missing(false, 'no server')).toBeNull()
  }
})

/** Recovery codes: every wrong letter and every swap is found, and named with its group [K3]. */
import { expect, test } from 'vitest'
import { readRecoveryCode, writeRecoveryCode } from '../../../src/client/link/recovery-code.ts'
import { createRandom } from '../../support/data/random.ts'

const random = createRandom(43)
const newCode = () => writeRecoveryCode(Uint8Array.from({ length: 28 }, () => random.below(256)))
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

test('[K3] a code is read as it was shown, in any case, with any spaces and hyphens, and with letters for digits', () => {
  for (let i = 0; i < 200; i++) {
    const code = newCode()
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){6}[0-9A-HJKMNP-TV-Z]{5}$/)
    const typed = code.toLowerCase().replaceAll('0', 'O').replace('1', 'I').replaceAll('1', 'l').replaceAll('-', ' – ')
    for (const form of [code, typed, code.replaceAll('-', ''), `\t${code}\n`, code.split('').join(' ')])
      expect(readRecoveryCode(form)).toEqual({ code })
  }
})

test('[K3] each wrong letter, and each two letters swapped, names the group; control: the right code', () => {
  const code = newCode()
  const letters = [...code]
  const numberOf = (at: number) => Math.floor(at / 6) + 1
  let wrong = 0
  for (const [at, letter] of letters.entries()) {
    if (letter === '-') continue
    for (const other of [...alphabet, 'U', '#']) {
      if (other === letter) continue
      expect(readRecoveryCode(letters.with(at, other).join('')), `${at} ${other}`).toEqual({ wrongGroup: numberOf(at) })
      wrong += 1
    }
    for (let next = at + 1; numberOf(next) === numberOf(at) && next < letters.length; next++) {
      if (letters[next] === '-' || letters[next] === letter) continue
      const swapped = letters.with(at, letters[next]!).with(next, letter).join('')
      expect(readRecoveryCode(swapped), `${at} and ${next}`).toEqual({ wrongGroup: numberOf(at) })
    }
  }
  expect(wrong).toBe(35 * 33)
  expect(readRecoveryCode(code)).toEqual({ code })
})

test('[K3] groups in another order, missing and further ones are found', () => {
  const groups = newCode().split('-')
  expect(readRecoveryCode(groups.with(1, groups[2]!).with(2, groups[1]!).join('-'))).toEqual({ wrongGroup: 2 })
  for (const typed of [
    '',
    groups.slice(1, 1).join('-'),
    groups.slice(0, 6).join('-'),
    [...groups, groups[0]].join('-'),
  ])
    expect(readRecoveryCode(typed)).toBe('length')
})

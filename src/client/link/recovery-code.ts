/**
 * Recovery codes: 7 groups of 4 random letters and one that checks them, 140 random bits. The alphabet is Crockford's Base32: digits and capitals without
 * I, L, O and U. In GF(32) the check differs after any wrong letter, and after any two letters that were swapped, within a group or between groups.
 */

export const recoveryGroups = 7
const lettersOfGroup = 4
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `random`: 28 random bytes. */
export function writeRecoveryCode(random: Uint8Array): string {
  const groups = Array.from({ length: recoveryGroups }, (_, group) => {
    const at = group * lettersOfGroup
    const values = Array.from(random.subarray(at, at + lettersOfGroup), (byte) => byte & 31)
    return [...values, checkOf(values, group)].map((value) => alphabet[value]).join('')
  })
  return groups.join('-')
}

/** The code in its one form; the number of the first wrong group; or `length` if letters are missing or too many. */
export function readRecoveryCode(
  typed: string,
): { readonly code: string } | { readonly wrongGroup: number } | 'length' {
  const letters = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const size = lettersOfGroup + 1
  const groups: string[] = []
  for (let group = 0; group < recoveryGroups; group++) {
    const text = letters.slice(group * size, (group + 1) * size)
    if (text.length < size) return 'length'
    const values = [...text].map((letter) => alphabet.indexOf(letter))
    if (values.includes(-1) || checkOf(values.slice(0, -1), group) !== values.at(-1)) return { wrongGroup: group + 1 }
    groups.push(text)
  }
  return letters.length > recoveryGroups * size ? 'length' : { code: groups.join('-') }
}

/** The sum of the letters, each multiplied by another power, and of a power for the group. */
function checkOf(values: readonly number[], group: number): number {
  return values.reduce((sum, value, i) => sum ^ times(value, power(i + 1)), power(lettersOfGroup + 2 + group))
}

/** Product in GF(32), modulo x⁵ + x² + 1. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 4; bit >= 0; bit--) {
    product <<= 1
    if (product & 32) product ^= 0b100101
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

function power(exponent: number): number {
  return exponent === 0 ? 1 : times(2, power(exponent - 1))
}

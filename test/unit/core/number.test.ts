/**
 * Tests `src/core/number` against the BigInt oracle of `test/support/data/precise.ts`, ECMAScript's special cases, and
 * a fingerprint of result bits that must be the same wherever the tests run.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cos } from '../../../src/core/number/cos.ts'
import { exp } from '../../../src/core/number/exp.ts'
import { log } from '../../../src/core/number/log.ts'
import { pow } from '../../../src/core/number/pow.ts'
import {
  fractionBits,
  pi,
  preciseCos,
  preciseExp,
  preciseLog,
  precisePow,
  ulpsBetween,
} from '../../support/data/precise.ts'

const seed = 20240917
const smallest = 5e-324
const largestSubnormal = 2.225073858507201e-308
const smallestNormal = 2.2250738585072014e-308
const largest = Number.MAX_VALUE
const ulpOfOne = Number.EPSILON

const positive = fc.double({ min: smallest, max: largest, noNaN: true })
const nearOne = fc.double({ min: 0.5, max: 2, noNaN: true })
const edges = [
  smallest,
  largestSubnormal,
  smallestNormal,
  1 - ulpOfOne / 2,
  1,
  1 + ulpOfOne,
  Math.SQRT1_2,
  Math.SQRT2,
  largest,
]

function check<Arguments extends [number, ...number[]]>(
  arbitrary: fc.Arbitrary<Arguments>,
  examples: readonly Arguments[],
  errorInUlps: (...values: Arguments) => number,
  bound: number,
  numRuns = 3000,
): void {
  fc.assert(
    fc.property(arbitrary, (values) => {
      const error = errorInUlps(...values)
      if (error > bound) throw new Error(`${error} ulp at (${values.join(', ')})`)
    }),
    { seed, numRuns, examples: examples.map((values): [Arguments] => [values]) },
  )
}

describe('the oracle', () => {
  it('knows π, e and ln 2 to 60 digits', () => {
    const digits = (value: bigint) => ((value * 10n ** 60n) >> BigInt(fractionBits)).toString()
    expect(digits(pi(fractionBits))).toBe('3141592653589793238462643383279502884197169399375105820974944')
    expect(digits((preciseExp(0.5).digits ** 2n) >> BigInt(fractionBits))).toBe(
      '2718281828459045235360287471352662497757247093699959574966967',
    )
    expect(digits(preciseLog(2).digits)).toBe('693147180559945309417232121458176568075500134360255254120680')
  })

  it('detects a result that is two units off', () => {
    expect(ulpsBetween(1, preciseExp(0))).toBe(0)
    expect(ulpsBetween(1 + 2 * ulpOfOne, preciseExp(0))).toBe(2)
    expect(ulpsBetween(2 * smallest, preciseExp(-745))).toBeGreaterThan(0.9)
    expect(ulpsBetween(Number.NaN, preciseExp(1))).toBe(Number.POSITIVE_INFINITY)
    expect(ulpsBetween(-1, preciseCos(0))).toBeGreaterThan(2 ** 52)
  })
})

describe('log', () => {
  const error = (x: number) => ulpsBetween(log(x), preciseLog(x))

  it('[D1] is within 1 ulp for every positive double', () => {
    check(
      fc.tuple(positive),
      edges.map((x): [number] => [x]),
      error,
      1,
    )
    check(fc.tuple(nearOne), [], error, 1)
    check(fc.tuple(fc.double({ min: 1 - 1e-6, max: 1 + 1e-6, noNaN: true })), [], error, 1)
  })

  it('has the special cases of ECMAScript', () => {
    expect(log(1)).toBe(0)
    expect(log(0)).toBe(-Infinity)
    expect(log(-0)).toBe(-Infinity)
    expect(log(Infinity)).toBe(Infinity)
    for (const x of [-smallest, -1, -Infinity, Number.NaN]) expect(log(x)).toBeNaN()
  })
})

describe('exp', () => {
  const error = (x: number) => ulpsBetween(exp(x), preciseExp(x))

  it('[D1] is within 1 ulp from the smallest subnormal to the largest double', () => {
    const limits = [
      709.782712893384, 709.7827128933841, -708.3964185322641, -744.4400719213812, -745.1332191019411,
      -745.1332191019412,
    ]
    const examples = [...limits, ...edges.filter((x) => x < 2), ...edges.filter((x) => x < 2).map((x) => -x)]
    check(
      fc.tuple(fc.double({ min: -746, max: 709.7827128933841, noNaN: true })),
      examples.map((x): [number] => [x]),
      error,
      1,
    )
    check(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true })), [], error, 1)
    check(fc.tuple(fc.double({ min: -746, max: -708, noNaN: true })), [], error, 1)
  })

  it('has the special cases of ECMAScript', () => {
    expect(exp(0)).toBe(1)
    expect(exp(-0)).toBe(1)
    expect(exp(Infinity)).toBe(Infinity)
    expect(exp(-Infinity)).toBe(0)
    expect(exp(709.7827128933841)).toBe(Infinity)
    for (const x of [709.79, 710, 1e300]) expect(exp(x)).toBe(Infinity)
    for (const x of [-745.14, -746, -1e300]) expect(exp(x)).toBe(0)
    expect(exp(Number.NaN)).toBeNaN()
  })
})

describe('pow', () => {
  const error = (x: number, y: number) => ulpsBetween(pow(x, y), precisePow(x, y))

  it('[D1] is within 1 ulp where the power is a double', () => {
    check(
      fc.tuple(positive, fc.double({ min: -1, max: 1, noNaN: true })),
      [
        [smallest, 1],
        [largest, -1],
      ],
      error,
      1,
    )
    check(fc.tuple(nearOne, fc.double({ min: -1000, max: 1000, noNaN: true })), [], error, 1)
    check(
      fc.tuple(fc.double({ min: 0.01, max: 4000, noNaN: true }), fc.double({ min: -2, max: 0, noNaN: true })),
      [],
      error,
      1,
    )
    const hardest: [number, number][] = [
      [1 + ulpOfOne, 3e18],
      [1 - ulpOfOne / 2, 6e18],
      [1 + ulpOfOne, -3.3e18],
      [10, -323],
      [2, -1074],
      [2, 1023.5],
    ]
    for (const [x, y] of hardest) expect(error(x, y), `${x} ** ${y}`).toBeLessThan(1)
  })

  it('gives powers that are doubles exactly', () => {
    for (let base = 2; base <= 60; base++)
      for (let exponent = 1, power = base; power <= Number.MAX_SAFE_INTEGER; exponent++, power *= base) {
        expect(pow(base, exponent), `${base} ** ${exponent}`).toBe(power)
        expect(pow(-base, exponent)).toBe(exponent % 2 === 0 ? power : -power)
        expect(pow(power, 1)).toBe(power)
      }
    for (let n = -1074, power = smallest; n <= 1023; n++, power *= 2) expect(pow(2, n), `2 ** ${n}`).toBe(power)
    for (let n = 1; n <= 1000; n++) expect(pow(n * n, 0.5)).toBe(n)
    fc.assert(
      fc.property(positive, (x) => pow(x, 1) === x),
      { seed, numRuns: 2000 },
    )
  })

  it('overflows and underflows where the true power does', () => {
    expect(pow(2, 1024)).toBe(Infinity)
    expect(pow(-2, 1025)).toBe(-Infinity)
    expect(pow(2, -1076)).toBe(0)
    expect(pow(-2, -1077)).toBe(-0)
    expect(pow(largest, largest)).toBe(Infinity)
    expect(pow(smallest, largest)).toBe(0)
    expect(pow(1 + ulpOfOne, largest)).toBe(Infinity)
    expect(pow(1 - ulpOfOne, largest)).toBe(0)
    expect(pow(3, smallest)).toBe(1)
  })

  it('has the special cases of ECMAScript, those of `**` in this engine', () => {
    const specials = [
      0,
      -0,
      1,
      -1,
      2,
      -2,
      3,
      -3,
      0.5,
      -0.5,
      1.5,
      -1.5,
      2 ** 53,
      -(2 ** 53),
      2 ** 53 - 1,
      1 - 2 ** 53,
      Infinity,
      -Infinity,
      Number.NaN,
    ]
    for (const x of specials)
      for (const y of specials) {
        const expected = x ** y
        const plain = expected === 0 || !Number.isFinite(expected) || Number.isSafeInteger(expected)
        if (plain) expect(pow(x, y), `${x} ** ${y}`).toBe(expected)
        else expect(Math.abs(pow(x, y) / expected - 1), `${x} ** ${y}`).toBeLessThan(1e-15)
      }
  })
})

describe('cos', () => {
  const error = (x: number) => ulpsBetween(cos(x), preciseCos(x))

  it('[D1] is within 1 ulp up to 10⁹ and for every finite double beyond', () => {
    check(
      fc.tuple(fc.double({ min: -10, max: 10, noNaN: true })),
      edges.map((x): [number] => [x]),
      error,
      1,
    )
    check(fc.tuple(fc.double({ min: -1e9, max: 1e9, noNaN: true })), [[1e9], [-1e9]], error, 1)
    check(
      fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true })),
      [[2 ** 53], [2 ** 53 - 1], [1e22], [largest]],
      error,
      1,
      600,
    )
  })

  it('[D1] keeps every bit where the cosine nearly vanishes', () => {
    const odd = fc.integer({ min: 0, max: 2 ** 29 }).map((n): [number] => [(n + 0.5) * Math.PI])
    check(odd, [[Math.PI / 2], [6381956970095103 * 2 ** 797]], error, 1)
  })

  it('has the special cases of ECMAScript', () => {
    expect(cos(0)).toBe(1)
    expect(cos(-0)).toBe(1)
    expect(cos(smallest)).toBe(1)
    for (const x of [Infinity, -Infinity, Number.NaN]) expect(cos(x)).toBeNaN()
  })

  it('is even', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => Object.is(cos(x), cos(-x))),
      { seed, numRuns: 1000 },
    )
  })
})

describe('all four', () => {
  it('[D1] give exactly these bits, in every engine', () => {
    expect(fingerprint((x) => log(x * x))).toBe('0bec4d49')
    expect(fingerprint((x) => exp(x / 100))).toBe('3ecac221')
    expect(fingerprint((x) => pow(Math.abs(x), -0.37))).toBe('6ba78e85')
    expect(fingerprint(cos)).toBe('f3761e89')
  })
})

/** FNV-1a over the bits of f at 20,000 points between -5 · 10⁴ and 5 · 10⁴. */
function fingerprint(f: (x: number) => number): string {
  const view = new DataView(new ArrayBuffer(8))
  let hash = 2166136261
  for (let step = 0; step < 20000; step++) {
    view.setFloat64(0, f((step - 9999.5) * 5.03125))
    for (let at = 0; at < 8; at++) hash = Math.imul(hash ^ view.getUint8(at), 16777619)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Parses reason and risk rows with their closed registries. The error for an unknown code suggests the nearest one. */
import { recallError } from '../model/errors.ts'
import { suggestName } from '../model/nearest.ts'
import { reasonCodes } from '../model/reason-codes.ts'
import { riskFlags } from '../model/risk-flags.ts'
import { optionalNumber, parseList, parseObject, refuse, requiredString } from './parse-fields.ts'

export function parseReasons(value: unknown): readonly { readonly code: string; readonly weight: number }[] {
  const rows = parseList(value, 'reasons', Object.keys(reasonCodes).length, (entry, field) => {
    const row = parseObject(entry, field, new Set(['code', 'weight']))
    const code = requiredString(row.code, `${field}.code`, 256)
    if (!Object.hasOwn(reasonCodes, code))
      throw unknownCode('UNKNOWN_REASON_CODE', `${field}.code`, code, Object.keys(reasonCodes))
    return { code, weight: optionalNumber(row, 'weight', { min: 0, max: 1 }, field) ?? 1 }
  })
  refuseRepeats(
    'reasons',
    rows.map((row) => row.code),
  )
  return rows
}

export function parseRisks(value: unknown): readonly { readonly flag: string }[] {
  const rows = parseList(value, 'risks', Object.keys(riskFlags).length, (entry, field) => {
    const row = parseObject(entry, field, new Set(['flag', 'severity']))
    const flag = requiredString(row.flag, `${field}.flag`, 256)
    if (!Object.hasOwn(riskFlags, flag))
      throw unknownCode('UNKNOWN_RISK_FLAG', `${field}.flag`, flag, Object.keys(riskFlags))
    const { severity } = riskFlags[flag as keyof typeof riskFlags]
    if (row.severity !== undefined && row.severity !== severity)
      throw refuse(`${field}.severity`, row.severity, `must be ${severity}`, 'Leave it out: the flag decides it.')
    return { flag }
  })
  refuseRepeats(
    'risks',
    rows.map((row) => row.flag),
  )
  return rows
}

function refuseRepeats(field: string, codes: readonly string[]): void {
  const repeated = codes.find((code, i) => codes.indexOf(code) !== i)
  if (repeated !== undefined)
    throw refuse(field, repeated, 'must have each code at most once', 'Remove the repeated code.')
}

function unknownCode(
  code: 'UNKNOWN_REASON_CODE' | 'UNKNOWN_RISK_FLAG',
  field: string,
  value: string,
  known: readonly string[],
) {
  return recallError(code, 'must be in the registry', { field, value, hint: suggestName(value, known) })
}

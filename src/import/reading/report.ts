/** Counts what an import read, and lists what it left out and why. Parts read = records + joined + left. */
import type { Left, LeftCode } from './reader.ts'

export interface LeftPart {
  readonly file: string
  readonly part: string | null
  readonly code: LeftCode
  readonly message: string
}

export interface ImportReport {
  /** Files that were seen, those in archives too. */
  readonly files: number
  /** Files and folders that .gitignore, or a name such as `.git`, excludes. */
  readonly ignored: number
  /** Everything that was found: records + joined + left. */
  readonly parts: number
  readonly records: number
  /** Parts that are inside of a record: relations, names of attachments. */
  readonly joined: number
  /** Parts that became no record. */
  readonly left: number
  /** Records by kind of export. */
  readonly kinds: Readonly<Record<string, number>>
  readonly leftByCode: Readonly<Record<string, number>>
  /** The first 1,000 of the parts that were left out. */
  readonly listed: readonly LeftPart[]
  /** The first 1,000 remarks about records: another encoding, front matter that cannot be read. */
  readonly warnings: readonly Omit<LeftPart, 'code'>[]
}

const mostListed = 1_000

export interface OpenReport {
  readonly report: ImportReport
  countFile(): void
  countIgnored(): void
  countRecord(kind: string): void
  countJoined(count: number): void
  leave(file: string, left: Left): void
  warn(file: string, part: string | null, message: string): void
}

export function openReport(): OpenReport {
  const report = {
    files: 0,
    ignored: 0,
    parts: 0,
    records: 0,
    joined: 0,
    left: 0,
    kinds: {} as Record<string, number>,
    leftByCode: {} as Record<string, number>,
    listed: [] as LeftPart[],
    warnings: [] as Omit<LeftPart, 'code'>[],
  }
  const add = (counts: Record<string, number>, key: string) => {
    counts[key] = (counts[key] ?? 0) + 1
  }
  return {
    report,
    countFile: () => void report.files++,
    countIgnored: () => void report.ignored++,
    countRecord(kind) {
      report.parts++
      report.records++
      add(report.kinds, kind)
    },
    countJoined(count) {
      report.parts += count
      report.joined += count
    },
    leave(file, { left: code, part, message }) {
      report.parts++
      report.left++
      add(report.leftByCode, code)
      if (report.listed.length < mostListed) report.listed.push({ file, part, code, message })
    },
    warn(file, part, message) {
      if (report.warnings.length < mostListed) report.warnings.push({ file, part, message })
    },
  }
}

/**
 * Merges two states of one record: a commutative, associative and idempotent function [R1] [R2] [R3]. The greater life wins whole;
 * within a life versions are merged by field, and what was learned is united.
 */
import { compareLives, isTombstone, mergeTombstones, mergeVersions, type Tombstone, type Version } from './lives.ts'
import { mergeRegisters, type Registers } from './registers.ts'
import { mergeReports, type Reports } from './reports.ts'

export interface LiveRecord {
  readonly life: number
  readonly version: Version
  /** The learned state of this life. */
  readonly reports: Reports
  /** Predictions and proposals of this life. */
  readonly registers: Registers<unknown>
}

export type RecordState = LiveRecord | Tombstone

export function mergeRecords(a: RecordState, b: RecordState): RecordState {
  const order = compareLives(a, b)
  if (order !== 0) return order > 0 ? a : b
  if (isTombstone(a) || isTombstone(b)) return mergeTombstones(a as Tombstone, b as Tombstone)
  return {
    life: a.life,
    version: mergeVersions(a.version, b.version),
    reports: mergeReports(a.reports, b.reports),
    registers: mergeRegisters(a.registers, b.registers),
  }
}

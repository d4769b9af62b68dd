/** The types of an app's retention rules, and the scopes in which records are counted. */

export const retentionScopes = ['store', 'project', 'topic', 'agent', 'bank', 'session'] as const

/** All rules are optional. Without rules no record is deleted. */
export interface RetentionConfig {
  /** Days after createdAt until a record is deleted. */
  readonly maxAgeDays?: number | undefined
  /** Days without a change, an action or a read (reported with `acknowledge`) until a record is deleted. */
  readonly maxIdleDays?: number | undefined
  /** Deletes records with a confidence (0..1) below this … */
  readonly minConfidence?: number | undefined
  /** … after at least this many signals. Default 3, because a single outcome proves little. */
  readonly minEvidence?: number | undefined
  /** Most records of a scope. Beyond that, those with the lowest updatedAt are deleted first. */
  readonly maxRecords?: number | undefined
  /** The scope of `maxRecords`: `project` counts each project separately, and so on; records without the field count together. Default `store`. */
  readonly per?: (typeof retentionScopes)[number] | undefined
  /** Records with one of these tags are never deleted. */
  readonly exemptTags?: readonly string[] | undefined
}

/** The rules with all defaults. Null: the rule does not apply. */
export interface ResolvedRetention {
  readonly maxAgeDays: number | null
  readonly maxIdleDays: number | null
  readonly minConfidence: number | null
  readonly minEvidence: number
  readonly maxRecords: number | null
  readonly per: (typeof retentionScopes)[number]
  readonly exemptTags: readonly string[]
}

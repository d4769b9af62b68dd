/** What an app says of how long records stay. Types, and the scopes records can be counted in. */

export const retentionScopes = ['store', 'project', 'topic', 'agent', 'bank', 'session'] as const

/** All rules are optional, and without any nothing ever goes. */
export interface RetentionConfig {
  /** Days since createdAt after which a record goes. */
  readonly maxAgeDays?: number | undefined
  /** Days since a record last changed, was acted on or was read (as `acknowledge` told). */
  readonly maxIdleDays?: number | undefined
  /** Records whose confidence fell below this (0..1) go … */
  readonly minConfidence?: number | undefined
  /** … once it rests on so many signals. Default 3: one outcome alone is no judgement. */
  readonly minEvidence?: number | undefined
  /** Records a scope may hold; beyond, those of the lowest updatedAt go first. */
  readonly maxRecords?: number | undefined
  /** The scope `maxRecords` counts in: each project for itself, or each bank, …; those without one count together. Default `store`. */
  readonly per?: (typeof retentionScopes)[number] | undefined
  /** Records with one of these tags never go. */
  readonly exemptTags?: readonly string[] | undefined
}

/** With every default filled in; null: no such rule. */
export interface ResolvedRetention {
  readonly maxAgeDays: number | null
  readonly maxIdleDays: number | null
  readonly minConfidence: number | null
  readonly minEvidence: number
  readonly maxRecords: number | null
  readonly per: (typeof retentionScopes)[number]
  readonly exemptTags: readonly string[]
}

/** Contents of records with the fields that the random lives of merge-lives.ts change. */
import { type Content, contentOf } from '../../src/core/merge/content.ts'

export interface Texts {
  readonly title: string | null
  readonly body: string | null
  readonly tags: readonly string[]
}

export const noTexts: Texts = { title: null, body: null, tags: [] }

export function contentFor(texts: Texts): Content {
  const absent = null
  return contentOf({
    id: '',
    kind: 'note',
    project: absent,
    topic: absent,
    agent: absent,
    bank: absent,
    session: absent,
    summary: absent,
    instruction: absent,
    command: absent,
    exitCode: absent,
    source: absent,
    authority: absent,
    files: [],
    terms: [],
    anchors: [],
    reasons: [],
    risks: [],
    relations: [],
    status: 'active',
    supersededBy: absent,
    validFrom: absent,
    validUntil: absent,
    expiresAt: absent,
    importance: 1,
    cycles: [],
    pressureRate: 0,
    authorityTier: absent,
    profile: absent,
    writeScore: absent,
    position: absent,
    occurredAt: absent,
    metadata: {},
    createdAt: 0,
    ...texts,
  })
}

export function textsOf({ fields, lists }: Content): Texts {
  const tags = (lists['tags'] ?? []).map(({ value }) => value as string)
  return { title: fields['title'] as string | null, body: fields['body'] as string | null, tags }
}

/** A title, a body, and tags: added at the end, removed, or in another order. A text is cleared if the other one stays. */
export function textsAfter(kind: 'put' | 'title' | 'tag' | 'order', value: number, shown: Texts | null): Texts {
  const { title, body, tags } = shown ?? { ...noTexts, body: 'first' }
  if (kind === 'put') return { title, body: value === 0 && title !== null ? null : `text ${value}`, tags }
  if (kind === 'title') return { title: value === 0 && body !== null ? null : `title ${value}`, body, tags }
  if (kind === 'order') return { title, body, tags: [`tag ${value}`, ...tags.filter((tag) => tag !== `tag ${value}`)] }
  const others = tags.filter((tag) => tag !== `tag ${value}`)
  return { title, body, tags: others.length < tags.length ? others : [...tags, `tag ${value}`] }
}

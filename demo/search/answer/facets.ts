/**
 * Shows the filter chips: projects and kinds (any of), tags (all of), each with the number of records that would remain.
 * Projects and kinds are read from the first `maxPages` pages of records; the store counts tags.
 */
import type { Recall, Scope } from 'scrubjay'
import { wholeNumber } from '../../shared/format.ts'
import { hidden, make, partById } from '../../shared/parts.ts'

export interface Facets {
  /** The scope that the pressed chips select. */
  scope(): Scope
  /** Reads names and counts again. */
  refresh(): Promise<void>
}

type Facet = 'project' | 'kind' | 'tag'
interface Chip {
  readonly facet: Facet
  readonly name: string
  readonly count: number
}

const maxPages = 5
const tagsAtFirst = 10
const tagsAtMost = 60

export function createFacets(recall: Recall, changed: () => void): Facets {
  const chosen: Readonly<Record<Facet, Set<string>>> = { project: new Set(), kind: new Set(), tag: new Set() }
  const place = partById('facets')
  let names: Readonly<Record<'project' | 'kind', readonly string[]>> = { project: [], kind: [] }
  let showsAllTags = false
  let newest = 0

  return {
    scope,
    async refresh() {
      names = await namesInStore(recall)
      await draw()
    },
  }

  function scope(without?: Facet): Scope {
    const any = (facet: 'project' | 'kind') => (facet === without ? [] : [...chosen[facet]])
    const [project, kind, tags] = [any('project'), any('kind'), [...chosen.tag]]
    return {
      ...(project.length > 0 ? { project } : {}),
      ...(kind.length > 0 ? { kind } : {}),
      ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    }
  }

  async function draw(): Promise<void> {
    const mine = ++newest
    const [projects, kinds, tags] = await Promise.all([countEach('project'), countEach('kind'), countTags()])
    if (mine !== newest) return
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['chip'] : undefined
    const shownTags = showsAllTags ? tags : tags.slice(0, Math.max(tagsAtFirst, chosen.tag.size))
    place.replaceChildren(
      ...groupOf('Project', projects),
      ...groupOf('Kind', kinds),
      ...groupOf('Tags', shownTags, tags.length > shownTags.length || showsAllTags ? moreTags() : null),
    )
    if (focused !== undefined) place.querySelector<HTMLElement>(`[data-chip="${CSS.escape(focused)}"]`)?.focus()
  }

  function groupOf(title: string, chips: readonly Chip[], last: HTMLElement | null = null): HTMLElement[] {
    if (chips.length === 0) return []
    const id = `facet-${title.toLowerCase()}`
    const group = make('div', { class: 'facet', role: 'group', 'aria-labelledby': id })
    group.append(
      make('span', { class: 'facet-title', id }, title),
      make('div', { class: 'chips' }, ...chips.map(chipOf), last),
    )
    return [group]
  }

  function chipOf({ facet, name, count }: Chip): HTMLElement {
    const isPressed = chosen[facet].has(name)
    return make(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-pressed': String(isPressed),
        'data-chip': `${facet}:${name}`,
        'data-empty': count === 0,
        click: () => {
          if (!chosen[facet].delete(name)) chosen[facet].add(name)
          void draw()
          changed()
        },
      },
      name,
      make('span', { class: 'chip-count' }, ` ${wholeNumber(count)}`),
      hidden(count === 1 ? ' record' : ' records'),
    )
  }

  function moreTags(): HTMLElement {
    const toggle = () => {
      showsAllTags = !showsAllTags
      void draw()
    }
    return make(
      'button',
      {
        type: 'button',
        class: 'chip chip-more',
        'aria-expanded': String(showsAllTags),
        'data-chip': 'more',
        click: toggle,
      },
      showsAllTags ? 'fewer tags' : 'more tags',
    )
  }

  /** Chips of one facet are alternatives, so each count ignores the other chips of its facet. */
  function countEach(facet: 'project' | 'kind'): Promise<readonly Chip[]> {
    return Promise.all(
      names[facet].map(async (name) => ({
        facet,
        name,
        count: await recall.count({ ...scope(facet), [facet]: name }),
      })),
    )
  }

  async function countTags(): Promise<readonly Chip[]> {
    const found = (await recall.tags(scope())).map(({ tag, count }): Chip => ({ facet: 'tag', name: tag, count }))
    const absent = [...chosen.tag].filter((name) => !found.some((chip) => chip.name === name))
    const all = [...found, ...absent.map((name): Chip => ({ facet: 'tag', name, count: 0 }))]
    const rank = ({ name, count }: Chip) => (chosen.tag.has(name) ? Number.POSITIVE_INFINITY : count)
    return all.sort((a, b) => compare(rank(b), rank(a)) || compare(a.name, b.name)).slice(0, tagsAtMost)
  }
}

async function namesInStore(recall: Recall): Promise<Readonly<Record<'project' | 'kind', readonly string[]>>> {
  const project = new Set<string>()
  const kind = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor }: Awaited<ReturnType<Recall['list']>> = await recall.list({ limit: 1000, cursor })
    for (const record of items) {
      kind.add(record.kind)
      if (record.project !== null) project.add(record.project)
    }
    cursor = nextCursor
    if (cursor === null) break
  }
  return { project: [...project].sort(), kind: [...kind].sort() }
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The topics of a text: stems of its words that name something, and what actions of one kind share ("live", "moved": a home). */
import { wording } from '../changes/change-wording.ts'
import { stem } from '../text/tokenise/stem.ts'
import { commonWords } from '../text/tokenise/stop-words.ts'
import { wordsOf } from './read-turn.ts'

export function topicsOf(text: string): ReadonlySet<string> {
  const { slots, move, light } = wording()
  const topics = new Set<string>()
  for (const word of wordsOf(text)) {
    const slot = slots.get(word)
    if (slot === 'home' || move.has(word)) topics.add('home')
    else if (slot === 'work' || jobs.has(word)) topics.add('work')
    else if (!commonWords.has(word) && !light.has(word) && word.length > 1) topics.add(stem(word))
  }
  return topics
}

const jobs: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'job jobs employer company office hired joined quit arbeit stelle firma emploi boulot entreprise trabajo empleo empresa lavoro azienda baan bedrijf emprego'.split(
    ' ',
  ),
)

/** How many topics two texts share. */
export function sharedTopics(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const topic of a) if (b.has(topic)) shared++
  return shared
}

/**
 * Questions that name a day, over twelve years of weekly minutes that are made of real texts: how often a record of that day is first, and
 * how often the evidence is strong for a record of another day. `npm run quality named-days [set …]` takes the texts of the sets.
 */
import { isoDay } from '../../src/core/time/iso-time.ts'
import { unpackResult } from '../../src/protocol/packed-result.ts'
import { type Dataset, type Document, questionTime } from './datasets.ts'
import { openSet } from './open-set.ts'

export const namedDaysHead = [
  '| texts | days are in | records | right day first | strong for another day |',
  '| --- | --- | --- | --- | --- |',
].join('\n')

/** Six phrasings, and forms of the day in turn. */
const phrasings: readonly ((day: string) => string)[] = [
  (day) => `what was discussed on ${day}?`,
  (day) => `what did we decide on ${day}?`,
  (day) => `notes from ${day}`,
  (day) => `summary of the ${day} meeting`,
  (day) => `what did people talk about on ${day}?`,
  (day) => `what happened on ${day}?`,
]
const months = 'January February March April May June July August September October November December'.split(' ')
const forms: readonly ((year: number, month: number, date: number) => string)[] = [
  (year, month, date) => `${date} ${months[month]} ${year}`,
  (year, month, date) => `${months[month]} ${date}, ${year}`,
  (year, month, date) => isoDay(Math.floor(Date.UTC(year, month, date) / dayMs)),
]

const dayMs = 86_400_000
const weeks = 620
const linesPerWeek = 7
const daysAsked = 40

export async function namedDaysLines(dataset: Dataset): Promise<string> {
  const lines: string[] = []
  for (const place of ['titles', 'createdAt'] as const) {
    const minutes = minutesOf(dataset, place === 'titles')
    for (const mode of ['words', 'built-in'] as const) {
      const set = await openSet(minutes, mode)
      const counts = { asked: 0, right: 0, wrong: 0 }
      for (const [i, { kind }] of minutes.questions.entries()) {
        const { hits, evidence } = unpackResult(await set.ask(i))
        const isRight = hits[0]?.id.startsWith(kind!) === true
        counts.asked++
        if (isRight) counts.right++
        else if (evidence.strength === 'strong') counts.wrong++
      }
      const share = (count: number) => `${((100 * count) / counts.asked).toFixed(1)} %`
      lines.push(
        `| ${dataset.name} | ${place} | ${mode === 'words' ? 'words' : 'hybrid built-in'} | ${share(counts.right)} | ${share(counts.wrong)} |`,
      )
      await set.close()
    }
  }
  return lines.join('\n')
}

function minutesOf({ name, documents }: Dataset, isTitled: boolean): Dataset {
  const first = Math.floor(questionTime / dayMs) - 7 * weeks
  const minutes = Array.from({ length: weeks * linesPerWeek }, (_, i): Document => {
    const { title, text } = documents[i % documents.length]!
    const day = first + 7 * Math.floor(i / linesPerWeek)
    const subject = (title || text).split(/\s+/).slice(0, 4).join(' ')
    return {
      id: `${isoDay(day)}#${i}`,
      title: isTitled ? `${isoDay(day)}: ${subject}` : subject,
      text: text.slice(0, 600),
      scope: '',
      session: null,
      position: null,
      at: day * dayMs + 15 * 3_600_000,
    }
  })
  const questions = Array.from({ length: daysAsked }, (_, n) => {
    const day = first + 7 * Math.floor(((n + 0.5) * weeks) / daysAsked)
    const date = new Date(day * dayMs)
    const form = forms[n % forms.length]!(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
    return phrasings.map((phrase, i) => ({ id: `${n}.${i}`, text: phrase(form), scope: '', kind: isoDay(day) }))
  }).flat()
  return { name, documents: minutes, questions, judgements: new Map(), minilm: null }
}

/** Finds the sentence of the best hit that answers a question: the one with the most words of the question. Pure. */
import type { Hit } from 'scrubjay'
import { plainPassage } from '../../shared/record/plain-passage.ts'

const maxLength = 240
/** Words of the heading above a sentence say what the sentence is about, but less surely than its own. */
const ofHeading = 0.5

/** Without Markdown signs. Null if no sentence is clearly the answer; then only the note can be named. */
export function answeringSentence({ record, marks }: Pick<Hit, 'record' | 'marks'>): string | null {
  const body = withWholeLines(record.body ?? '')
  const sentences = sentencesOf(body)
  let heading: ReadonlySet<string> = new Set()
  let best: Sentence | null = null
  let most = 0
  let place = 0
  const marked = marks.body ?? []
  for (const sentence of sentences) {
    const words = new Set<string>()
    for (; place < marked.length && marked[place]![0] < sentence.to; place++)
      words.add(
        body
          .slice(...marked[place]!)
          .toLowerCase()
          .slice(0, stemLength),
      )
    if (sentence.isHeading) heading = words
    if (!sentence.isAnswer) continue
    const more = [...heading].filter((word) => !words.has(word)).length
    const score = words.size + ofHeading * more
    if (score > most) [best, most] = [sentence, score]
  }
  const answers = sentences.filter(({ isAnswer }) => isAnswer)
  // The title has the words of the question, and the text is too short to be about anything else.
  if (best === null && answers.length === 1) best = answers[0]!
  return best === null ? null : shortened(best.text)
}

interface Sentence {
  /** Of the body, in UTF-16 units. */
  readonly to: number
  readonly text: string
  readonly isHeading: boolean
  /** Headings, questions and tags answer nothing. */
  readonly isAnswer: boolean
}

function sentencesOf(body: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  for (const { index, segment } of splitter.segment(body)) {
    const to = index + segment.length
    if (goesOn.test(body.slice(Math.max(from, to - 12), to)) && to < body.length) continue
    const raw = body.slice(from, to)
    from = to
    const text = plainPassage({ text: raw, marks: [] }).text.replaceAll(/\s+/g, ' ').replace(tagsAtEnd, '').trim()
    const isHeading = /^\s*#{1,6}\s/.test(raw)
    const isAnswer = !isHeading && !text.endsWith('?') && /[\p{L}\p{N}]/u.test(text)
    sentences.push({ to, text, isHeading, isAnswer })
  }
  return sentences
}

const splitter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** After an abbreviation, an initial or an ordinal a sentence goes on. */
const goesOn = /(?:^|[\s(])(?:\p{L}{1,2}|\d{1,2}|mrs|prof|sra|bzw|vgl|ca)\.[^\S\n]+$/iu

const tagsAtEnd = /(?:(?:^| )#[^\s#]+)+ ?$/

/** Two forms of one word count once. */
const stemLength = 5

/** A paragraph that is broken into long lines is one text. All offsets stay. */
function withWholeLines(text: string): string {
  return text.replaceAll(/(?<=[^\n]{40})\n(?=[\p{L}\p{N}("'])/gu, ' ')
}

/** Cut between words. */
function shortened(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/\s+\S*$/, '')} …`
}

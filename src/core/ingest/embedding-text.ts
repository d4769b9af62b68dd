/**
 * Builds the texts of a record that are embedded: the whole text, or overlapping chunks of a longer one, each after the title
 * (models cut at 256 tokens, so the best chunk counts: docs/spec/text.md#chunks). Offsets refer to the joined text without the title.
 */
import type { RecordInput } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import { chunkText } from '../text/chunk.ts'

export interface EmbeddingChunk {
  readonly text: string
  readonly from: number
  readonly to: number
}

type Content = Pick<RecordInput, 'title' | 'summary' | 'body' | 'instruction' | 'command'>

export function embeddingChunks(content: Content): readonly EmbeddingChunk[] {
  const title = content.title ?? ''
  const text = [content.summary, content.body, content.instruction, content.command]
    .filter((part) => part !== undefined && part !== null && part !== '')
    .join('\n')
  const whole = { text: title === '' ? text : `${title} ${text}`, from: 0, to: text.length }
  const chunks = chunkText(text, { words: tuning.chunkWords, stride: tuning.chunkStride })
  if (chunks.length <= 1) return [whole]
  return [
    whole,
    ...chunks.map(({ from, to }) => ({ text: `${title === '' ? '' : `${title} `}${text.slice(from, to)}`, from, to })),
  ]
}

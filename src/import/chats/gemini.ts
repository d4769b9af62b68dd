/** Reads Gemini's part of Google Takeout (MyActivity.json), where each entry is a question with its answer, and conversations of AI Studio. */
import { jsonParts } from '../files/json-parts.ts'
import { readTime } from '../notes/dates.ts'
import { textOfHtml } from '../notes/html-text.ts'
import { fileId, left, type Reader, stemOf } from '../reading/reader.ts'
import { isObject, type Json, textOf } from '../tables/json.ts'
import { turnRecord } from './turn.ts'

export const gemini: Reader = {
  kind: 'gemini',
  recognises: ({ text }) => /^\s*\[/.test(text) && /"header"\s*:\s*"(?:Gemini|Bard)/.test(text),
  async *read({ texts }, { offsetAt }) {
    const taken = new Map<string, number>()
    for await (const { value, problem, index } of jsonParts(texts())) {
      const place = `entry ${(index ?? 0) + 1}`
      if (problem !== null || !isObject(value)) {
        yield left('damaged', place, problem ?? 'must be an object')
        continue
      }
      const time = readTime(value['time'], offsetAt)
      // An entry has no id: its time, which has milliseconds, is one.
      const at = textOf(value['time'])
      const count = (taken.get(at) ?? 0) + 1
      taken.set(at, count)
      const session = `gemini:${at}${count === 1 ? '' : `~${count}`}`
      const prompt = textOf(value['title']).replace(/^(?:Prompted|Asked|Eingegebener Prompt:|Said)\s+/, '')
      const answer = await answerOf(value)
      if (prompt.trim() === '' && answer === '') yield left('empty', place, 'holds no text')
      const title = prompt.slice(0, 80)
      if (prompt.trim() !== '')
        yield turnRecord({ session, title, id: 'prompt', position: 0, role: 'user', text: prompt, time })
      if (answer !== '')
        yield turnRecord({ session, title, id: 'answer', position: 1, role: 'assistant', text: answer, time })
    }
  },
}

async function answerOf(value: Json): Promise<string> {
  const items = Array.isArray(value['safeHtmlItem']) ? value['safeHtmlItem'] : []
  const texts: string[] = []
  for (const item of items) if (isObject(item)) texts.push(await textOfHtml(textOf(item['html'])))
  return texts.filter((text) => text !== '').join('\n\n')
}

export const aiStudio: Reader = {
  kind: 'ai-studio',
  recognises: ({ text }) => /^\s*\{/.test(text) && /"(?:chunkedPrompt|runSettings)"\s*:/.test(text),
  async *read({ file, whole }, { offsetAt }) {
    const value: unknown = JSON.parse(await whole())
    const prompt = isObject(value) ? value['chunkedPrompt'] : null
    const chunks = isObject(prompt) && Array.isArray(prompt['chunks']) ? prompt['chunks'] : []
    if (chunks.length === 0) yield left('empty', null, 'holds no turn')
    const session = fileId(file)
    for (const [position, chunk] of chunks.entries()) {
      const text = isObject(chunk) ? textOf(chunk['text']) : ''
      if (!isObject(chunk) || text.trim() === '') yield left('empty', `turn ${position + 1}`, 'holds no text')
      else {
        const role = chunk['role'] === 'model' ? 'assistant' : textOf(chunk['role']) || 'unknown'
        const time = readTime(chunk['createTime'] ?? file.modifiedMs, offsetAt)
        yield turnRecord({ session, title: stemOf(file.path), id: String(position), position, role, text, time })
      }
    }
  },
}

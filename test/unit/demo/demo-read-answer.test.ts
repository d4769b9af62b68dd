/** Answers of models: events in any pieces, and completions of servers that do not stream. */
import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../../demo/agent/model/read-answer.ts'

const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
  choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } }],
})

/** A response of the events, in pieces of so many bytes. */
function stream(events: readonly object[], size = 7): Response {
  const text = [...events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`), 'data: [DONE]\n'].join('')
  const bytes = new TextEncoder().encode(text)
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size))
        controller.close()
      },
    }),
  )
}

describe('calls of a stream', () => {
  test.each([
    ['with an index from 0', [0, 0, 1]],
    ['with an index from 1', [1, 1, 2]],
    ['without an index', [undefined, undefined, undefined]],
  ])('%s', async (_, [a, b, c]) => {
    const events = [call(a, 'x', 'recall', '{"q"'), call(b, undefined, undefined, ':1}'), call(c, 'y', 'why', '{}')]
    expect((await readAnswer(stream(events), () => undefined)).calls).toEqual([
      { id: 'x', name: 'recall', arguments: '{"q":1}' },
      { id: 'y', name: 'why', arguments: '{}' },
    ])
  })

  test('a call without a name is an error that shows it', async () => {
    const answer = readAnswer(stream([call(0, 'x', undefined, '{}')]), () => undefined)
    await expect(answer).rejects.toThrow(/^The model called a tool without an id or a name: .*"x"/)
  })
})

test('the text so far only grows, and letters of several bytes survive the cuts', async () => {
  const events = ['Grüße', ' 🐦', '.'].map((content) => ({ choices: [{ delta: { content } }] }))
  const said: string[] = []
  const { content } = await readAnswer(stream([...events, { usage: { prompt_tokens: 9 } }], 3), (text) =>
    said.push(text),
  )
  expect(content).toBe('Grüße 🐦.')
  expect(said).toEqual(['Grüße', 'Grüße 🐦', 'Grüße 🐦.'])
})

test('a completion without a stream, and what is neither', async () => {
  const whole = new Response(JSON.stringify({ choices: [{ message: { content: 'Hi' } }], usage: { prompt_tokens: 3 } }))
  expect(await readAnswer(whole, () => undefined)).toMatchObject({ content: 'Hi', calls: [], promptTokens: 3 })
  const error = stream([{ error: { message: 'overloaded' } }])
  await expect(readAnswer(error, () => undefined)).rejects.toThrow('The model stopped: overloaded')
  await expect(readAnswer(new Response('<html>'), () => undefined)).rejects.toThrow(/has no message: <html>$/)
})

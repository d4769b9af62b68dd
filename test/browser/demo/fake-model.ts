/** Stands in for a language model in the tests of the agent demo. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'

interface ModelRequest {
  readonly authorization: string | undefined
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: object
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
}

type ModelAnswer = (request: ModelRequest) => {
  readonly content?: string
  readonly calls?: readonly object[]
  readonly promptTokens?: number
  readonly status?: number
  readonly body?: unknown
  /** Sent as a stream; `wait` pauses it until `go`. */
  readonly events?: readonly { readonly delta?: object; readonly wait?: string }[]
}

/** An endpoint of OpenAI's shape that returns scripted answers, in turn, and records its requests. */
export function fakeModel() {
  const requests: ModelRequest[] = []
  let answers: ModelAnswer[] = []
  let go = () => {}
  return {
    requests,
    go: () => go(),
    models(_request: IncomingMessage, response: ServerResponse) {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ data: [{ id: 'fake-1' }, { id: 'fake-2' }] }))
    },
    reset() {
      requests.length = 0
      answers = []
    },
    answers(...next: readonly ModelAnswer[]) {
      answers.push(...next)
    },
    async handler(request: IncomingMessage, response: ServerResponse) {
      const asked = {
        ...JSON.parse(await readText(request)),
        authorization: request.headers.authorization,
      } as ModelRequest
      requests.push(asked)
      const answer = answers.shift()?.(asked) ?? { status: 500 }
      const { content = null, calls, promptTokens, status = 200, body, events } = answer
      if (events !== undefined) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        for (const { delta, wait } of events) {
          if (wait !== undefined) await new Promise<void>((done) => (go = done))
          else response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
        }
        response.end('data: [DONE]\n\n')
        return
      }
      const message = { role: 'assistant', content, ...(calls === undefined ? {} : { tool_calls: calls }) }
      const usual = { choices: [{ message }], usage: { prompt_tokens: promptTokens } }
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? usual))
    },
  }
}

export function toolCall(name: string, args: object) {
  return { calls: [{ id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }
}

/** Extracts facts with a server that has OpenAI's chat completions API: `POST { model, messages }` → `{ choices: [{ message: { content } }] }`. */
import type { Extract } from '../client/api/recall.ts'
import { recallError } from '../core/model/errors.ts'
import { dropResponse, readResponse } from '../embedders/read-response.ts'
import { serverUrl } from '../embedders/server-url.ts'
import { answerSchema, factsOf, requestOf } from './facts-in-words.ts'

export interface OpenAiExtractOptions {
  /** URL of the endpoint, for example `http://localhost:11434/v1/chat/completions`. */
  readonly url: string | URL
  /** Name of the model, as the server knows it. */
  readonly model: string
  /** Sent as `Authorization: Bearer …`. A function is called before each request, so that the extractor does not keep the key. */
  readonly key?: string | (() => string | Promise<string>) | undefined
  /** Additional headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Additional fields of the body, for example `{ response_format: undefined }` for a server without JSON schemas. Default: none. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/** Most bytes of an answer [E3]. */
const mostBytes = 2 ** 20

/**
 * Throws `INVALID_CONFIG` for wrong options. The extractor rejects with `INVALID_CONFIG` if the server refuses or answers too much, and with
 * `INVALID_ARGUMENT` if the answer is not of the asked form. Its time is that of `extractMs` of `remember`.
 */
export function openAiExtract({ url, model, key, headers, body }: OpenAiExtractOptions): Extract {
  const target = serverUrl(url, 'extract.url')
  if (typeof model !== 'string' || model.trim() === '')
    throw invalid('model', 'must be a string that is not blank', 'Give the name of the server’s model.')
  return async (turns, { known, signal }) => {
    const { system, prompt } = requestOf(turns, known)
    const secret = typeof key === 'function' ? await key() : key
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({
        model,
        temperature: 0,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'facts', strict: true, schema: answerSchema } },
        ...body,
      }),
      signal,
      credentials: 'omit',
      // The key must not be sent to another server.
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
    })
    if (!response.ok) {
      dropResponse(response)
      throw invalid(
        'url',
        `must be a server that answers, ${target.origin} answered with status ${response.status}`,
        'Check url, model and key.',
      )
    }
    const bytes = await readResponse(response, mostBytes)
    if (bytes === null)
      throw invalid('url', 'must be a server whose answer has at most 1 MiB', 'Ask for fewer turns at once.')
    return factsOf(contentOf(new TextDecoder().decode(bytes)), turns)
  }
}

/** Not a text if the answer has another form. */
function contentOf(json: string): unknown {
  try {
    const { choices } = JSON.parse(json) as {
      readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[]
    }
    return choices?.[0]?.message?.content
  } catch {
    return undefined
  }
}

function invalid(field: string, problem: string, hint: string) {
  return recallError('INVALID_CONFIG', problem, { field: `extract.${field}`, hint })
}

/** Reads what a hook of Claude Code gets on stdin, and finds the transcript that it names. */
import { statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { recallError } from '../../core/model/errors.ts'

/** The path of the transcript; `INVALID_ARGUMENT` for another input. */
export async function transcriptIn(input: Readable): Promise<string> {
  const path = (await inputOf(input))?.transcript_path
  if (typeof path === 'string' && statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path
  throw recallError('INVALID_ARGUMENT', 'must be JSON with the path of a transcript that exists', {
    field: 'transcript_path',
    value: path,
    hint: 'Use --hook in a hook of Claude Code, or give the path of the transcript without --hook.',
  })
}

async function inputOf(input: Readable): Promise<{ readonly transcript_path?: unknown } | null> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8')) {
    text += chunk
    if (text.length > mostLength) return null
  }
  try {
    return JSON.parse(text) as object | null
  } catch {
    return null
  }
}

/** The last answer of the assistant is part of it. */
const mostLength = 16 * 1_048_576

/** Reads mail: a message (EML) or a mailbox (mbox) of many. Each message is a record; those that answer each other are one session. */
import { joinBytes } from '../../core/collections/join-bytes.ts'
import { sha256Hex } from '../../core/text/hash/sha256.ts'
import { readTime } from '../notes/dates.ts'
import { textOfHtml } from '../notes/html-text.ts'
import { type Context, left, type Part, type Reader } from '../reading/reader.ts'
import { mime } from '../reading/parsers.ts'

/** A longer message is left out. */
const mostMessageBytes = 48 * 1_048_576

export const mbox: Reader = {
  kind: 'mbox',
  recognises: ({ text }) => /^From \S.*\d{4}/.test(text.slice(0, 300)) && /\n[A-Za-z-]+: /.test(text),
  async *read({ bytes }, context) {
    let number = 0
    for await (const message of messagesOf(bytes())) {
      number++
      const place = `message ${number}`
      if (message === null) yield left('too-large', place, `must have at most ${mostMessageBytes} bytes`)
      else yield* mailOf(message, place, context)
    }
  },
}

export const eml: Reader = {
  kind: 'mail',
  recognises: ({ extension, text }) =>
    extension === 'eml' ||
    (/^(?:Return-Path|Received|Delivered-To|Message-ID|From|MIME-Version|Date|Subject): .*\r?\n(?:[A-Za-z-]+: |[ \t])/i.test(
      text,
    ) &&
      /^(?:From|Date|Message-ID): /im.test(text)),
  async *read({ bytes }, context) {
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of bytes()) {
      pieces.push(piece)
      size += piece.length
      if (size > mostMessageBytes) {
        yield left('too-large', null, `must have at most ${mostMessageBytes} bytes`)
        return
      }
    }
    yield* mailOf(joinBytes(pieces, size), null, context)
  },
}

async function* mailOf(bytes: Uint8Array, place: string | null, { offsetAt }: Context): AsyncIterable<Part> {
  const { default: PostalMime } = await mime()
  try {
    const mail = await PostalMime.parse(bytes)
    if (!mail.headers.some(({ key }) => usualHeaders.has(key))) {
      yield left('damaged', place, 'has no header of a message')
      return
    }
    const names = mail.attachments.map(({ filename, mimeType }) => filename ?? mimeType)
    if (names.length > 0) yield { joined: names.length }
    const html = mail.html === undefined ? '' : await textOfHtml(mail.html)
    const text = (mail.text ?? '').trim() === '' ? html : mail.text!
    const time = readTime(mail.date, offsetAt) ?? readTime(new Date(mail.date ?? Number.NaN), offsetAt)
    const id = mail.messageId?.replace(/^<|>$/g, '') ?? sha256Hex(new TextDecoder('latin1').decode(bytes))
    const thread = /<([^<>]+)>/.exec(mail.references ?? mail.inReplyTo ?? '')?.[1] ?? id
    const from = nameOf(mail.from)
    const to = [...(mail.to ?? []), ...(mail.cc ?? [])].map(nameOf).filter((name) => name !== '')
    yield {
      id: `mail:${id}`,
      kind: 'mail',
      title: (mail.subject ?? '').trim() === '' ? '(no subject)' : mail.subject!,
      body: text.trim(),
      session: `mail:${thread}`.slice(0, 512),
      source: 'mail',
      ...(time === undefined ? {} : { createdAt: time, updatedAt: time }),
      ...(mail.inReplyTo === undefined
        ? {}
        : { relations: [{ kind: 'replies_to', target: `mail:${mail.inReplyTo.replace(/^<|>$/g, '')}` }] }),
      metadata: { from, to: to.slice(0, 50), ...(names.length === 0 ? {} : { attachments: names.slice(0, 100) }) },
    }
  } catch (error) {
    yield left('damaged', place, error instanceof Error ? error.message : 'cannot be read')
  }
}

const usualHeaders = new Set([
  'from',
  'date',
  'subject',
  'message-id',
  'to',
  'mime-version',
  'content-type',
  'received',
])

function nameOf(
  address: { readonly name?: string | undefined; readonly address?: string | undefined } | undefined,
): string {
  const { name = '', address: mail = '' } = address ?? {}
  return name === '' || name === mail ? mail : `${name} <${mail}>`
}

/** The messages between lines that begin with `From `; null for one that is too long. `>From ` in a message loses its sign. */
async function* messagesOf(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array | null> {
  let lines: Uint8Array[] = []
  let size = 0
  let isAfterBlank = true
  let rest: Uint8Array[] = []
  let isOpen = false
  const take = () => {
    const whole = size > mostMessageBytes ? null : joinBytes(lines.length === 0 ? [new Uint8Array(0)] : lines, size)
    lines = []
    size = 0
    return whole
  }
  const add = (line: Uint8Array) => {
    const isBorder = isAfterBlank && startsWith(line, from)
    isAfterBlank = line.length === 1 || (line.length === 2 && line[0] === 13)
    if (isBorder) return true
    const plain = /^>+From $/.test(latin(line.subarray(0, 20)).replace(/(From ).*/s, '$1')) ? line.subarray(1) : line
    size += plain.length
    if (size <= mostMessageBytes) lines.push(plain)
    return false
  }
  for await (const chunk of chunks) {
    let at = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
      rest.push(chunk.subarray(at, end + 1))
      const line = joinBytes(
        rest,
        rest.reduce((sum, { length }) => sum + length, 0),
      )
      rest = []
      at = end + 1
      const before = isOpen
      if (add(line)) {
        isOpen = true
        if (before) yield take()
      }
    }
    if (at < chunk.length) rest.push(chunk.slice(at))
  }
  if (rest.length > 0)
    add(
      joinBytes(
        rest,
        rest.reduce((sum, { length }) => sum + length, 0),
      ),
    )
  if (isOpen) yield take()
}

const from = new TextEncoder().encode('From ')
const startsWith = (line: Uint8Array, start: Uint8Array) => start.every((byte, i) => line[i] === byte)
const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes)

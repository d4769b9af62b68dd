import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSecrets, redactSecrets } from '../../../src/core/text/redact-secrets.ts'

const letters = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdEfGhIjKlMnOpQrStUvWxYz012345678'
const some = (length: number) => letters.repeat(4).slice(0, length)
/** In parts, so that no secret scanner reports this file. */
const join = (...parts: readonly string[]) => parts.join('')

const secrets: readonly (readonly [string, string])[] = [
  ['AWS key id', join('AKIA', 'IOSFODNN7ABCDEFG')],
  ['GitHub token', join('ghp_', some(36))],
  ['GitHub token', join('github_pat_', some(60))],
  ['GitLab token', join('glpat-', some(20))],
  ['Slack token', join('xoxb-', '123456789012-', some(20))],
  ['Slack webhook', join('https://hooks.slack.com/', 'services/T000/B000/', some(24))],
  ['Stripe key', join('sk_live_', some(24))],
  ['Anthropic key', join('sk-ant-', 'api03-', some(60))],
  ['OpenAI key', join('sk-proj-', some(48))],
  ['Google key', join('AIza', some(35))],
  ['Google token', join('ya29.', some(60))],
  ['Hugging Face token', join('hf_', some(34))],
  ['npm token', join('npm_', some(36))],
  ['PyPI token', join('pypi-', some(60))],
  ['SendGrid key', join('SG.', some(22), '.', some(43))],
  ['JSON web token', join('eyJ', some(20), '.eyJ', some(40), '.', some(43))],
  [
    'private key',
    join(
      '-----BEGIN RSA PRIVATE',
      ' KEY-----\nProc-Type: 4,ENCRYPTED\n',
      some(64),
      '\n-----END RSA PRIVATE',
      ' KEY-----',
    ),
  ],
]

describe('redactSecrets', () => {
  it('hides a private key without an end up to its maximum length', () => {
    const text = join('see\n-----BEGIN OPENSSH PRIVATE', ' KEY-----\n', some(200))
    expect(redactSecrets(text)).toBe('see\n[redacted: private key]')
  })

  it.each(secrets)('hides a %s, wherever it is', (kind, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['The key is ', '.'],
      ['export KEY="', '"\nnext line'],
      ['(', ')'],
    ] as const) {
      expect(redactSecrets(before + secret + after)).toBe(`${before}[redacted: ${kind}]${after}`)
    }
  })

  it.each([
    ['postgres://jay:hunter2secret@db.example.org/notes', 'postgres://jay:[redacted: password]@db.example.org/notes'],
    [`Authorization: Bearer ${some(30)}`, 'Authorization: Bearer [redacted: bearer token]'],
    ['DB_PASSWORD=correct-horse-battery', 'DB_PASSWORD=[redacted: secret value]'],
    ['"api_key": "1234567890abcdef",', '"api_key": "[redacted: secret value]",'],
    ["client-secret => 's3cr3t-s3cr3t'", "client-secret => '[redacted: secret value]'"],
    ['AWS_SECRET_ACCESS_KEY: wJalrXUtnFEMIK7MDENG', 'AWS_SECRET_ACCESS_KEY: [redacted: secret value]'],
  ])('hides the value alone: %s', (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted)
  })

  it.each([
    'The password is checked by the server.',
    'password: string',
    'const apiKey = process.env.API_KEY',
    'PASSWORD=${DB_PASSWORD}',
    'api_key: <your key here>',
    'https://example.org:8080/path?q=a@b',
    'see sk-learn and the task-force of 2024',
    'the AKIA prefix, and ghp_short',
    'a commit 3f786850e387550fdab836ed7e6dc881de23001b and a uuid 123e4567-e89b-12d3-a456-426614174000',
    'function redactSecrets(text: string): string',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  ])('leaves alone: %s', (text) => {
    expect(findSecrets(text)).toEqual([])
    expect(redactSecrets(text)).toBe(text)
  })

  it('a second pass changes nothing, and matches do not overlap', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...secrets.map(([, secret]) => secret),
        'password=',
        '"token": ',
        'Bearer ',
        '://a:',
        '@',
        ' ',
        '\n',
      ),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const once = redactSecrets(text)
        expect(redactSecrets(once)).toBe(once)
        const found = findSecrets(text)
        for (const [i, { from, to }] of found.entries()) {
          expect(from).toBeLessThan(to)
          if (i > 0) expect(from).toBeGreaterThanOrEqual(found[i - 1]?.to ?? 0)
        }
      }),
      { seed: 11, numRuns: 2000 },
    )
  })
})

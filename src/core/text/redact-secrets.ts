/**
 * Finds text in the form of a credential: private keys, tokens with a known prefix, passwords in URLs, values that are assigned
 * to a name such as `api_key`. The patterns are bounded and do not backtrack. A secret without such a form, for example a
 * password in a sentence, is not found. Takes linear time; redacting twice changes nothing.
 */

export interface FoundSecret {
  /** UTF-16 offsets [from, to). */
  readonly from: number
  readonly to: number
  readonly kind: string
}

/** The text with each secret replaced by `[redacted: kind]`. Redacting again changes nothing. */
export function redactSecrets(text: string): string {
  let redacted = ''
  let at = 0
  for (const { from, to, kind } of findSecrets(text)) {
    redacted += `${text.slice(at, from)}[redacted: ${kind}]`
    at = to
  }
  return at === 0 ? text : redacted + text.slice(at)
}

/** In the order of the text, without overlaps: of two that overlap, the one that begins first. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = []
  const pattern = new RegExp(anyShape, 'g')
  // The text after a secret is searched as if it began there, because the hidden secret ends no word.
  let base = 0
  let rest = text
  for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
    const { kind, group, refuses } = shapes.find((shape) => match?.[shape.group] !== undefined)!
    const secret = match[group + 1] ?? match[group]!
    const from = match.index + match[0].lastIndexOf(secret)
    if (refuses?.test(secret)) {
      pattern.lastIndex = Math.max(from, match.index + 1)
      continue
    }
    const to = from + secret.length
    found.push({ from: base + from, to: base + to, kind })
    base += to
    rest = rest.slice(to)
    pattern.lastIndex = 0
  }
  return found
}

interface Shape {
  readonly kind: string
  /** Has exactly one group: the part to redact. */
  readonly source: string
  /** Values of this form that are not secrets. */
  readonly refuses?: RegExp
}

interface PlacedShape extends Shape {
  /** Number of the pattern's group; the group of the secret is the next. */
  readonly group: number
}

/** Not inside a longer word, because the prefixes are short. */
function token(kind: string, body: string): Shape {
  return { kind, source: `(?<![A-Za-z0-9_-])(${body})` }
}

/** Values that are not secrets: placeholders, names of variables, redacted text. */
const placeholder =
  /^(?:\$|\{|<|\[?redacted|%|\*+$|x+$|\.+$|your|example|changeme|process\.env|os\.environ|null|none|true|false)/i

const keyLine = (edge: string) => `-----${edge} [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`

/** Names of secrets, in any case. */
const secretNames = anyCase(
  'api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|access[_-]?token|auth[_-]?token|client[_-]?secret|password|passwd|pwd|private[_-]?key',
)

const shapes: readonly PlacedShape[] = placed([
  // A key without an end is redacted as far as the pattern reaches.
  { kind: 'private key', source: `(${keyLine('BEGIN')}(?:[^-]|-(?!----)){0,20000}(?:${keyLine('END')})?)` },
  token('AWS key id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])'),
  token('GitHub token', '(?:gh[oprsu]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})'),
  token('GitLab token', 'gl(?:pat|ptt|rt|dt)-[A-Za-z0-9_-]{20,255}'),
  token('Slack token', 'xox[abeoprs]-[A-Za-z0-9-]{10,255}'),
  token('Slack webhook', 'https://hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,255}'),
  token('Stripe key', '(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{24,255}'),
  token('Anthropic key', 'sk-ant-[A-Za-z0-9_-]{20,255}'),
  token('OpenAI key', 'sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,255}'),
  token('Google key', 'AIza[A-Za-z0-9_-]{35}'),
  token('Google token', 'ya29\\.[A-Za-z0-9_-]{20,1024}'),
  token('Hugging Face token', 'hf_[A-Za-z0-9]{30,255}'),
  token('npm token', 'npm_[A-Za-z0-9]{36}'),
  token('PyPI token', 'pypi-[A-Za-z0-9_-]{50,512}'),
  token('SendGrid key', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}'),
  token('JSON web token', 'eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{8,2048}'),
  {
    // In a URL: scheme, user, password, host.
    kind: 'password',
    source: '(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}://[^\\s:@/?#]{0,128}:([^\\s:@/?#]{1,256})@(?=[^\\s@])',
    refuses: placeholder,
  },
  {
    kind: 'bearer token',
    source: '(?<![A-Za-z0-9])[Bb]earer {1,4}([A-Za-z0-9._~+/=-]{16,4096})',
    refuses: placeholder,
  },
  {
    // A name of a secret, then = or :, then more than seven characters without spaces or brackets.
    kind: 'secret value',
    source: `(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]{0,40}[_-])?(?:${secretNames})["']?\\s{0,4}(?:=>|=|:)\\s{0,4}["']?([^\\s"',;(){}[\\]<>]{8,512})`,
    refuses: placeholder,
  },
])

const anyShape = shapes.map(({ source }) => `(${source})`).join('|')

/** Each pattern is a group that contains one more group. */
function placed(given: readonly Shape[]): readonly PlacedShape[] {
  return given.map((shape, i) => ({ ...shape, group: 1 + 2 * i }))
}

/** Makes a pattern ignore the case of its letters. The pattern must contain no character classes with letters. */
function anyCase(pattern: string): string {
  return pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

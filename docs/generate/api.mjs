/**
 * Writes docs/api.md from the docstrings of a store's methods and of its options: `node docs/generate/api.mjs`.
 * A test fails when the page is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const page = new URL('../api.md', import.meta.url)

/** What a newcomer meets first, in the order in which an app calls it. */
const firstMethods = ['put', 'recall', 'why', 'assemble', 'acknowledge', 'remember', 'get', 'list', 'forget', 'close']

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(page, await apiPage())

/** Returns the text of the page. */
export async function apiPage() {
  const [methods, locks, call, importing, options, destroying, converting, listing, listed, salvage, receipt] =
    await Promise.all(
      [
        'client/api/recall',
        'client/api/locks',
        'client/api/call-options',
        'client/api/import-options',
        'client/api/open-options',
        'client/destroy-store',
        'client/convert-store',
        'client/stores',
        'protocol/stored-store',
        'salvage/salvage',
        'protocol/salvage',
      ].map(sourceOf),
    )
  const all = gathered([
    ...membersOf(methods, 'Recall'),
    ...membersOf(locks, 'StoreKeys').map((member) => ({ ...member, signature: `keys.${member.signature}` })),
    ...membersOf(locks, 'RecallLocks').filter(({ signature }) => signature.includes('(')),
  ])
  const first = firstMethods.map((name) => all.find((method) => method.name === name))
  const others = all.filter((method) => !first.includes(method))
  return [
    '# The API',
    '_Reference, for those who call a store._',
    "Open a store with `const recall = await openRecall({ name: 'notes' })`. [Its options](#openrecalloptions-promiserecall) and [the other methods](#all-other-methods) follow. Every entry has TypeScript types: your editor shows their fields. Signatures leave out the last argument, `options?: CallOptions`. `node docs/generate/api.mjs` writes this page from the docstrings.",
    '## The ten methods to begin with',
    introductionOf(methods, 'Recall'),
    first.map(methodText).join('\n\n'),
    '## openRecall(options): Promise\\<Recall\\>',
    membersOf(options, 'OpenOptions').map(optionText).join('\n'),
    '### assets',
    membersOf(options, 'Assets').map(optionText).join('\n'),
    '## All other methods',
    others.map(methodText).join('\n\n'),
    '## destroyStore(name, options): Promise\\<DestroyedStore\\>',
    introductionOf(destroying, 'destroyStore', 'async function'),
    membersOf(destroying, 'DestroyStoreOptions').map(optionText).join('\n'),
    '## encryptStore(name, options): Promise\\<ConvertedStore\\>',
    introductionOf(converting, 'encryptStore', 'function'),
    membersOf(converting, 'ConvertStoreOptions').map(optionText).join('\n'),
    '## decryptStore(name, options): Promise\\<ConvertedStore\\>',
    introductionOf(converting, 'decryptStore', 'function'),
    '## stores(options): Promise\\<readonly StoredStore[]\\>',
    introductionOf(listing, 'stores', 'async function'),
    membersOf(listing, 'StoresOptions').map(optionText).join('\n'),
    '### StoredStore',
    membersOf(listed, 'StoredStore').map(optionText).join('\n'),
    '## salvage(options): Promise\\<Salvaged\\>',
    'Exported by `scrubjay/salvage`.',
    introductionOf(salvage, 'salvage', 'async function'),
    membersOf(salvage, 'SalvageOptions').map(optionText).join('\n'),
    '### Salvaged',
    membersOf(receipt, 'SalvageReceipt').map(optionText).join('\n'),
    gathered(membersOf(salvage, 'Salvaged')).map(methodText).join('\n\n'),
    '## Options of single calls',
    ...[
      'CallOptions',
      'PutOptions',
      'ImportOptions',
      'CompactOptions',
      'IntegrityOptions',
      'RetainOptions',
      'LiveOptions',
    ].flatMap((name) => [
      `### ${name}`,
      membersOf(name === 'CallOptions' ? call : methods + importing, name)
        .map(optionText)
        .join('\n'),
    ]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

function sourceOf(name) {
  return readFile(new URL(`../../src/${name}.ts`, import.meta.url), 'utf8')
}

/** Returns signature and docstring of each member of an interface, in the order of the source. */
function membersOf(source, name) {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{$([\\s\\S]*?)^\\}$`, 'm').exec(source)?.[1]
  if (body === undefined) throw new Error(`The source must have the interface ${name}.`)
  const member = /^ {2}(?:\/\*\*([\s\S]*?)\*\/\n {2})?((?!\/?\*)\S[\s\S]*?)(?=\n {2}[^\s)]|\n*$(?![\s\S]))/gm
  return [...body.matchAll(member)]
    .filter(([, , signature]) => signature !== ')')
    .map(([, doc, signature]) => ({
      text: plain(doc ?? ''),
      signature: signature
        .replace(/\s+/g, ' ')
        .replace(/\( /g, '(')
        .replace(/,? \)/g, ')')
        .replace(/(?:, )?(?:options|more)\?: CallOptions\)/, ')')
        .trim(),
    }))
}

function introductionOf(source, name, kind = 'interface') {
  return plain(new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport ${kind} ${name}\\b`).exec(source)?.[1] ?? '')
}

/** Joins the lines of a docstring into a paragraph. */
function plain(doc) {
  return doc
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join(' ')
    .trim()
}

/** Groups overloads by name. */
function gathered(members) {
  const byName = new Map()
  for (const { signature, text } of members) {
    const name = signature.slice(0, signature.indexOf('('))
    byName.set(name, [...(byName.get(name) ?? []), { signature, text }])
  }
  return [...byName].map(([name, overloads]) => ({ name, overloads }))
}

function methodText({ name, overloads }) {
  return [`### ${name}`, ...overloads.flatMap(({ signature, text }) => [`\`${signature}\``, text])]
    .filter((part) => part !== '')
    .join('\n\n')
}

function optionText({ signature, text }) {
  const [, name, type] = /^readonly (\w+)\??: (.*?)(?: \| undefined)?$/.exec(signature) ?? []
  return `- **${name}**: \`${type.replace(/^\((.*)\)$/, '$1')}\`${text === '' ? '' : `. ${text}`}`
}

/** `scrubjay keys`: lists, adds and removes the locks of a locked store, and encrypts it again with a new key. */
import { recallError } from '../../core/model/errors.ts'
import { type Given, wrongUse } from '../common/arguments.ts'
import { type Command, type CommandIo, writeJson, writeLine } from '../common/io.ts'
import { passphraseIn } from '../common/lock.ts'

type Store = Parameters<Command['run']>[2]

export const keys: Command = {
  summary: 'Lists, adds or removes the locks of a locked store, or gives it a new key.',
  help: 'list prints the locks; add needs --new-passphrase-file, or --recovery-code, which prints a new code once; remove needs the id of a lock; new-key encrypts the whole store again, so that removed locks open nothing that is written from then on.',
  positional: '[list | add | remove <id> | new-key] ',
  options: ['new-passphrase-file', 'recovery-code'],
  store: 'existing',
  check(given) {
    const [action = 'list', id, ...more] = given.positional
    if (!Object.hasOwn(actions, action))
      throw recallError('INVALID_ARGUMENT', `must be one of ${Object.keys(actions).join(', ')}`, {
        field: 'action',
        value: action,
        hint: 'Leave it out to list the locks.',
      })
    if ((action === 'remove') !== (id !== undefined) || more.length > 0)
      throw wrongUse('One id must be given after remove, and nothing after the others', 'scrubjay keys --help')
    const { 'new-passphrase-file': file, 'recovery-code': code } = given.options
    const count = Number(file !== undefined) + Number(code === true)
    if (count !== Number(action === 'add'))
      throw wrongUse('Give one of --new-passphrase-file and --recovery-code with add', 'scrubjay keys --help')
  },
  async run(given, io, store) {
    const [action = 'list'] = given.positional
    await actions[action]!(given, io, store)
    return 0
  },
}

type Action = (given: Given, io: CommandIo, store: Store) => Promise<void>

const actions: Readonly<Record<string, Action>> = {
  async list(given, { output, signal }, store) {
    const locks = await store.keys.list({ signal })
    if (given.options.json === true) return writeJson(output, locks)
    for (const { id, kind, added, isOwn } of locks)
      writeLine(output, `${id}  ${kind}  ${new Date(added).toISOString()}${isOwn ? '  (this one)' : ''}`)
  },
  async add(given, { output, signal }, store) {
    const file = given.options['new-passphrase-file']
    const made =
      file === undefined
        ? await store.keys.add({ recoveryCode: true }, { signal })
        : await store.keys.add({ passphrase: passphraseIn(file, '--new-passphrase-file') }, { signal })
    if (given.options.json === true) return writeJson(output, made)
    const { id, recoveryCode } = made as { readonly id: string; readonly recoveryCode?: string }
    writeLine(output, recoveryCode ?? `added ${id}`)
  },
  async remove(given, { output, signal }, store) {
    const id = given.positional[1]!
    await store.keys.remove(id, { signal })
    if (given.options.json === true) writeJson(output, { removed: id })
    else writeLine(output, `removed ${id}`)
  },
  async 'new-key'(given, { output, signal }, store) {
    const receipt = await store.compact({ newKey: true, signal })
    if (given.options.json === true) writeJson(output, receipt)
    else writeLine(output, 'the store has a new key')
  },
}

/** `scrubjay completion <shell>`: a script that completes commands and options in bash, zsh or fish. */
import { options, shared, storeOptions, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLines } from '../common/io.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** The list of commands comes from the caller, because this command is one of them. */
export function completionOf(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    summary: 'Prints a script that completes commands and options in bash, zsh or fish.',
    help: 'bash: source <(scrubjay completion bash). zsh: the same with zsh, after compinit. fish: scrubjay completion fish | source.',
    positional: '<bash|zsh|fish> ',
    options: [],
    store: 'none',
    async run({ positional, options: { json } }, { output }) {
      const shell = shells.find((name) => name === positional[0])
      if (shell === undefined || positional.length !== 1)
        throw wrongUse('One of bash, zsh and fish must be given', 'scrubjay completion --help')
      const words = Object.entries(commands()).map(([name, { options: own, store }]) => ({
        name,
        options: [...(store === 'none' ? [] : storeOptions), ...own, ...shared],
      }))
      const script = shell === 'fish' ? fish(words) : bash(words, shell)
      if (json === true) writeJson(output, { shell, script })
      else writeLines(output, script)
      return 0
    },
  }
}

interface Words {
  readonly name: string
  readonly options: readonly (keyof typeof options)[]
}

function bash(words: readonly Words[], shell: 'bash' | 'zsh'): string {
  const cases = words.map(
    ({ name, options: own }) => `    ${name}) words="${own.map((option) => `--${option}`).join(' ')}" ;;`,
  )
  return `${shell === 'zsh' ? 'autoload -Uz bashcompinit && bashcompinit\n' : ''}_scrubjay() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${words.map(({ name }) => name).join(' ')}"
  else case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "$word" in -*) ;; *) [ "$COMP_CWORD" -gt 1 ] && COMPREPLY=($(compgen -f -- "$word")) ;; esac
}
complete -o filenames -F _scrubjay scrubjay`
}

function fish(words: readonly Words[]): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
  return words
    .flatMap(({ name, options: own }) => [
      `complete -c scrubjay -n __fish_use_subcommand -f -a ${name}`,
      ...own.map((option) => {
        const { type, help } = options[option]
        const value = type === 'string' ? ' -r' : ''
        return `complete -c scrubjay -n '__fish_seen_subcommand_from ${name}' -l ${option}${value} -d ${quoted(help)}`
      }),
    ])
    .join('\n')
}

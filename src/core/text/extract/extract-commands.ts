/**
 * Extracts shell commands: text after a prompt, in backticks, or alone on a line, that begins with a common program of
 * developers. The words after the program distinguish a command from a sentence.
 */

import type { Found } from './extract-found.ts'

/** The commands of a text, each on one line, trimmed, at most 300 characters. */
export function* findCommands(text: string): Iterable<Found> {
  if (text.includes('$') || text.includes('❯')) yield* prompted(text)
  if (text.includes('`')) yield* quoted(text)
  for (const match of text.matchAll(/^(?:[ \t]{0,12}(?:> )?)([a-zA-Z_.][^\n]{2,300})$/gm)) {
    const command = match[1]!.trim()
    if (isCommand(command) && isTyped(command) && !isSentence(command))
      yield { term: command, at: match.index + match[0].indexOf(command) }
  }
}

function* prompted(text: string): Iterable<Found> {
  for (const match of text.matchAll(/^[ \t]{0,12}(?:[\w@~:./-]{0,60})?[$❯] +([^\n]{1,300})$/gmu)) {
    const command = match[1]!.trim()
    if (/^[\w./~]/.test(command)) yield { term: command, at: match.index + match[0].indexOf(command) }
  }
}

function* quoted(text: string): Iterable<Found> {
  for (const match of text.matchAll(/`([^`\n]{3,300})`/g)) {
    const command = match[1]!.trim()
    if (isCommand(command)) yield { term: command, at: match.index + 1 }
  }
}

function isCommand(text: string): boolean {
  const { program, next } = parseStart(text)
  if (next === '') return lonePrograms.has(program)
  return subcommands.get(program)?.has(next) ?? (programs.has(program) && /^[-\w./~@"'$*:=]/.test(next))
}

/** Whether a line looks like shell input: it has a known subcommand, or an argument that prose does not have. */
function isTyped(line: string): boolean {
  const { program, next } = parseStart(line)
  return next === '' || subcommands.has(program) || / (?:-|\S*[./=:]\S)/.test(line)
}

/** The program of a command, and the next word or an empty string. Skips sudo and variables. */
function parseStart(text: string): { readonly program: string; readonly next: string } {
  const match = /^(?:sudo |(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,100} ){1,5})?([\w./-]{1,40})(?: +(\S{1,200}))?/.exec(text)
  return { program: match?.[1] ?? '', next: match?.[2] ?? '' }
}

/** Whether it ends like a sentence, or small words connect it. */
function isSentence(line: string): boolean {
  return /[\w)][.!?]$/.test(line) || / (?:is|are|was|to|the|when|then|because|which|fails|failed) /.test(line)
}

/** Programs whose names are also words, or may begin a sentence, with their subcommands. */
const subcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      [
        'git',
        'add am apply bisect blame branch checkout cherry-pick clean clone commit config diff fetch grep init log merge mv pull push rebase remote reset restore revert rm show stash status submodule switch tag worktree',
      ],
      ['go', 'build clean doc env fmt generate get install list mod run test tool version vet work'],
      ['cargo', 'add bench build check clean clippy doc fix fmt init install new publish run search test tree update'],
      [
        'npm',
        'access add audit cache ci config create dedupe exec i init install link list ls outdated pack publish rebuild remove run run-script start stop t test uninstall update version view',
      ],
      ['yarn', 'add build dev init install lint remove run start test upgrade why workspace'],
      ['pnpm', 'add audit build dev dlx exec i install lint publish recursive remove run start test update why -r'],
      ['bun', 'add build create install run test x'],
      ['make', 'all build check clean dev dist docs format install lint run test -j -f -C'],
      [
        'docker',
        'build compose container cp create exec image images inspect kill login logs network ps pull push restart rm rmi run start stop system tag volume',
      ],
      [
        'kubectl',
        'apply config create delete describe edit exec explain expose get label logs patch port-forward rollout run scale top wait',
      ],
      ['terraform', 'apply destroy fmt import init output plan state validate workspace'],
      ['pip', 'download freeze install list show uninstall'],
      ['uv', 'add init lock pip remove run sync tool venv'],
      ['poetry', 'add build check init install lock publish remove run shell show update'],
      ['dotnet', 'add build clean new nuget pack publish restore run test tool'],
      ['systemctl', 'daemon-reload disable enable reload restart start status stop'],
      ['helm', 'install lint list repo rollback template uninstall upgrade'],
      ['apt', 'install list remove search update upgrade'],
      ['apt-get', 'autoremove install remove update upgrade'],
      ['brew', 'install list services tap uninstall update upgrade'],
    ] as const
  ).map(([program, words]) => [program, new Set(words.split(' '))]),
)

const programs: ReadonlySet<string> = new Set(
  (
    'npx pip3 pytest python python3 node deno tsc tsx vite vitest jest eslint prettier biome mvn gradle gradlew ./gradlew rustc ' +
    'rustup gcc g++ clang cmake ninja bazel ruby bundle rake rails php composer perl java javac kotlinc swift flutter dart ' +
    'curl wget ssh scp rsync chmod chown mkdir rmdir rm cp mv ls cat grep rg sed awk find tar unzip psql mysql sqlite3 ' +
    'redis-cli aws gcloud az gh ansible-playbook docker-compose podman dnf yum pacman jq ffmpeg mypy ruff black flake8 ' +
    'tox nox uvicorn gunicorn flask playwright cypress webpack rollup esbuild turbo nx lerna'
  ).split(' '),
)

/** Commands without arguments. */
const lonePrograms: ReadonlySet<string> = new Set('pytest tsc vitest jest eslint mypy tox'.split(' '))

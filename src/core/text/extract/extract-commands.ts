/**
 * Shell commands: what follows a prompt, what stands in backticks or alone on a line and begins with a program that
 * developers run. A sentence that begins with such a word is told by what follows it.
 */

import type { Found } from './extract-found.ts'

/** Commands of a text, each on one line, white space at the ends cut off, at most 300 characters. */
export function* findCommands(text: string): Iterable<Found> {
  for (const match of text.matchAll(/^[ \t]{0,12}(?:[\w@~:./-]{0,60})?[$❯] +([^\n]{1,300})$/gmu)) {
    const command = match[1]!.trim()
    if (/^[\w./~]/.test(command)) yield { term: command, at: match.index + match[0].indexOf(command) }
  }
  for (const match of text.matchAll(/`([^`\n]{3,300})`/g)) {
    const command = match[1]!.trim()
    if (isCommand(command)) yield { term: command, at: match.index + 1 }
  }
  for (const match of text.matchAll(/^(?:[ \t]{0,12}(?:> )?)([a-zA-Z_.][^\n]{2,300})$/gm)) {
    const command = match[1]!.trim()
    if (isCommand(command) && isTyped(command) && !isSentence(command))
      yield { term: command, at: match.index + match[0].indexOf(command) }
  }
}

function isCommand(text: string): boolean {
  const { program, next } = parseStart(text)
  if (next === '') return lonePrograms.has(program)
  return subcommands.get(program)?.has(next) ?? (programs.has(program) && /^[-\w./~@"'$*:=]/.test(next))
}

/** Whether a line is what a shell would be given: a known subcommand, or an argument no prose has. */
function isTyped(line: string): boolean {
  const { program, next } = parseStart(line)
  return next === '' || subcommands.has(program) || / (?:-|\S*[./=:]\S)/.test(line)
}

/** The program of a command and the word after it, empty where there is none; sudo and variables before it skipped. */
function parseStart(text: string): { readonly program: string; readonly next: string } {
  const match = /^(?:sudo |(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,100} ){1,5})?([\w./-]{1,40})(?: +(\S{1,200}))?/.exec(text)
  return { program: match?.[1] ?? '', next: match?.[2] ?? '' }
}

/** Whether it ends as a sentence does or small words join it. */
function isSentence(line: string): boolean {
  return /[\w)][.!?]$/.test(line) || / (?:is|are|was|to|the|when|then|because|which|fails|failed) /.test(line)
}

/** Programs that are also words, or that a sentence may begin with: known by what they are told to do. */
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

/** Commands without a word after them. */
const lonePrograms: ReadonlySet<string> = new Set('pytest tsc vitest jest eslint mypy tox'.split(' '))

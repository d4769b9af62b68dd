/**
 * Tells the option of a command (`rm -rf`, `git commit -m`) from a word that no answer may contain (`apples -pears`), by the question alone.
 * The rows of `flagRules` are asked in order; the first that holds makes it an option.
 */

/** A word with a minus, and the end of the text before the minus (`mostBefore`). */
export interface MinusWord {
  readonly word: string
  readonly before: string
}

export interface FlagRule {
  /** Unique; tests and docs name it. */
  readonly name: string
  readonly examples: readonly string[]
  holds(given: MinusWord, words: Before): boolean
}

/** The text before the minus. */
interface Before {
  /** The last words before it, at most five. */
  readonly words: readonly string[]
  /** Whether one of these is the name of a program; `plain`: a name that means nothing else. */
  readonly command: 'plain' | 'prose' | null
}

export const flagRules: readonly FlagRule[] = [
  {
    name: 'one letter, or one letter and a number',
    examples: ['acpi -i', 'mount -a', 'make -j4', 'git commit -m'],
    holds: ({ word }) => /^\p{L}\d*$/u.test(word),
  },
  {
    name: 'up to three consonants and nothing before them',
    examples: ['-rf', '-xzf'],
    holds: ({ word, before }) => before.trim() === '' && /^[b-df-hj-np-tv-xz]{2,3}$/.test(word),
  },
  {
    name: 'a value behind an equals sign',
    examples: ['clang -std=c17', 'mvn -Dskip=true'],
    holds: ({ word }) => word.includes('='),
  },
  {
    name: 'up to four letters behind a command',
    examples: ['rm -rf', 'tar -xzf a.tar', 'what does ls -lah do?', 'docker run -it ubuntu'],
    holds: ({ word }, { command }) => command === 'plain' && /^[a-z]{2,4}$/i.test(word),
  },
  {
    name: 'letters without a vowel behind a command with a name of prose',
    examples: ['cat -vn', 'sort -nr'],
    holds: ({ word }, { command }) => command === 'prose' && /^[b-df-hj-np-tv-xz]{2,4}$/i.test(word),
  },
  {
    name: 'capitals or a known option behind a command',
    examples: ['gcc -Wall', 'find . -name "*.ts"', 'java -jar app.jar', 'powershell -NoProfile'],
    holds: ({ word }, { command }) =>
      command !== null && (/^[A-Z].*[A-Z]|^[WXDIL][a-z]/.test(word) || longOptions.has(word.toLowerCase())),
  },
  {
    name: 'an option before it',
    examples: ['mytool -a -list', 'build --release -target'],
    holds: (_, { words }) => words.some((word) => /^--\p{L}|^-\p{L}\d*$/u.test(word)),
  },
]

/** Whether the word is an option: its text is looked for like any other. */
export function isFlag({ word: written, before: text }: MinusWord): boolean {
  const given = { word: written.replace(/[?!.,;:)]{1,3}$/, ''), before: text }
  const words = text.split(/\s+/).filter(Boolean).slice(-5)
  const before: Before = { words, command: commandIn(words) }
  return flagRules.some((rule) => rule.holds(given, before))
}

/** Characters before a minus that are read. */
export const mostBefore = 200

function commandIn(words: readonly string[]): Before['command'] {
  const names = words.map((word) => word.replace(/^[^A-Za-z]{1,9}/, '').toLowerCase())
  if (names.some((name) => plainPrograms.has(name))) return 'plain'
  // Such a word is a program if only paths and options are between it and the minus.
  const last = words.findLastIndex((word) => /^[a-z]+$/i.test(word))
  return last !== -1 && prosePrograms.has(names[last]!) ? 'prose' : null
}

/** Names of programs that mean nothing else. */
const plainPrograms: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'acpi adb apt-get arp awk bash blkid chgrp chmod chown clang cmake cmd cp cpio crontab curl dd df diff dmesg dnf docker dpkg du ethtool ' +
    'fdisk ffmpeg ffprobe firewall-cmd flatpak fsck g++ gcc gcloud gdb gh git gpg grep gunzip gzip htop iconv ifconfig ionice iptables iw javac ' +
    'journalctl jq kubectl ldd ln ls lsblk lscpu lsmod lsof lspci lsusb mkdir mkfs modprobe mv mvn mysqldump netcat netstat nmap nohup npm npx ' +
    'nslookup openssl pacman passwd pg_dump pgrep pip pip3 pkill pnpm podman ps psql pwd pwsh python3 redis-cli rg rm rmdir robocopy rpm rsync ' +
    'rustc scp sed sftp sqlite3 ssh ssh-keygen strace sudo svn systemctl tar tcpdump tmux traceroute tsc ufw umount uname uniq unzip useradd ' +
    'usermod vim virsh wc wget whereis whoami winget xargs xcodebuild xcopy xrandr xz yum zcat zsh zstd'
  ).split(' '),
)

/** Names of programs that are words of prose, too. */
const prosePrograms: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'ansible apt ar brew bun cargo cat cd conda cron cut date deno dig echo emacs env find free ftp go gradle head helm hg host hostname id ip java ' +
    'kill killall ld less locate make man mount mysql nano nc nginx nice node perl php ping powershell python readlink reboot ruby screen service sh ' +
    'shutdown snap sort source split ss su swapon sync tail tee terraform time top touch tr tree uptime uv vi watch which yarn zip'
  ).split(' '),
)

/** Words that are options behind one minus. */
const longOptions: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'classpath codec command connect cover cp delete depth empty exclude exec executionpolicy filter force format group help iname inform include input ' +
    'jar keyout level maxdepth mindepth mtime name newer newkey noexit noout nodes noprofile outform output passin passout path perm preset print ' +
    'print0 prune pubin pubout quiet race recurse recursive regex release rm server showcerts silent size subj target text timeout type user verbose ' +
    'version watch width'
  ).split(' '),
)

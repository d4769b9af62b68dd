/** The files of a history: the names under which they may be opened, and what a user does to them. Keeps the oracle's picture of them right. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exchange, Place } from './operations.ts'
import { type FileModel, hasSides, newFile, type State, World } from './oracle.ts'

export interface Ground {
  readonly world: World
  readonly paths: Readonly<Record<Place, string>>
  /** The path next to which the journal of a path is: the files of a mounted folder are those of the folder. */
  sidesAt(path: string): string
  hasMounts(): boolean
  /** Returns false if it cannot be done now. */
  exchange(step: Exchange): boolean
  unmount(): void
  remove(): void
}

interface BackUp {
  readonly states: readonly State[]
  readonly latest: State
  readonly alternatives: readonly State[]
  /** Writes that ran while the file was copied. */
  readonly maybe: FileModel['maybe']
  readonly isWhole: boolean
}

const parts = ['-wal', '-revision'] as const
const isRoot = process.getuid?.() === 0

/** `isHeld`: whether a process has the file, or any file of the path, open. */
export function createGround(isHeld: (file: FileModel | null, path?: string) => boolean): Ground {
  const root = mkdtempSync(join(tmpdir(), 'scrubjay-ground-'))
  const backUps = join(root, 'backups')
  for (const name of ['a', 'backups', 'c', 'm', 'n']) mkdirSync(join(root, name))
  const main = join(root, 'a/memory.sqlite')
  const paths: Readonly<Record<Place, string>> = {
    main,
    moved: join(root, 'a/moved.sqlite'),
    folder: join(root, 'b/memory.sqlite'),
    copy: join(root, 'c/memory.sqlite'),
    link: join(root, 'a/link.sqlite'),
    mount: join(root, 'm/memory.sqlite'),
    'mounted file': join(root, 'n/memory.sqlite'),
  }
  const world = new World()
  const kept = new Map<number, BackUp>()
  let commit: BackUp | null = null
  const mounts = new Set<string>()

  const keep = (path: string): BackUp | null => {
    const file = world.named(path)
    if (file === null) return null
    const maybe = file.maybe.map(({ change }) => ({ change, isPending: false }))
    return {
      states: [...file.states.values()],
      latest: file.latest,
      alternatives: file.alternatives,
      maybe,
      isWhole: !file.needsJournal && !isHeld(file),
    }
  }

  /** The path holds the bytes of a backup now. */
  const placed = (path: string, backUp: BackUp, earlier: FileModel | null) => {
    world.look(path)
    const file = newFile(backUp.latest, [...backUp.states, ...(earlier?.states.values() ?? [])])
    file.maybe = [...backUp.maybe]
    file.alternatives = backUp.alternatives
    file.needsJournal = !backUp.isWhole
    world.name(path, file)
  }

  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(root, 'a'), '-c', 'user.name=jay', '-c', 'user.email=jay@example.org', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString()

  /** Returns false if it cannot be done now. */
  const exchange = (step: Exchange): boolean => {
    const hasFolder = existsSync(join(root, 'a'))
    if (step.do === 'back up') {
      const backUp = keep(main)
      if (backUp === null) return false
      copyFileSync(main, join(backUps, String(step.as)))
      // 1: the file changed while it was read, as it may change under any copy.
      const { status } = spawnSync('tar', [
        'cf',
        join(backUps, `${step.as}.tar`),
        '-C',
        join(root, 'a'),
        'memory.sqlite',
      ])
      if (status !== 0 && status !== 1) throw new Error('tar failed')
      for (const part of parts) if (existsSync(main + part)) copyFileSync(main + part, join(backUps, step.as + part))
      kept.set(step.as, backUp)
      return true
    }
    if (step.do === 'restore') {
      const backUp = kept.get(step.from)
      if (backUp === undefined || mounts.size > 0) return false
      mkdirSync(join(root, 'a'), { recursive: true })
      const earlier = world.named(main)
      const source = join(backUps, String(step.from))
      // The file and the journal next to it are what they were.
      const isSame = existsSync(main) && readFileSync(main).equals(readFileSync(source))
      if (step.how === 'in place') writeFileSync(main, readFileSync(source))
      else if (step.how === 'tar in place')
        execFileSync('tar', ['xf', `${source}.tar`, '--overwrite', '-C', join(root, 'a')], { stdio: 'ignore' })
      else {
        if (step.how === 'tar') execFileSync('tar', ['xf', `${source}.tar`, '-C', join(root, 'a')], { stdio: 'ignore' })
        else {
          copyFileSync(source, join(root, 'a/new'))
          renameSync(join(root, 'a/new'), main)
        }
      }
      if (isSame && earlier !== null) world.name(main, earlier)
      else placed(main, backUp, earlier)
      return true
    }
    if (step.do === 'delete') {
      if (!existsSync(main + step.part)) return false
      rmSync(main + step.part, { recursive: true })
      if (step.part === '-wal' || step.part === '-revision') world.tear(main)
      return true
    }
    if (step.do === 'replace') {
      const source = join(backUps, step.from + step.part)
      if (!existsSync(source) || !hasFolder) return false
      copyFileSync(source, main + step.part)
      world.tear(main)
      const file = world.named(main)
      // A journal next to a closed file is foreign to it.
      if (file !== null && !file.needsJournal) world.copySides(main, file)
      return true
    }
    if (step.do === 'rename' || step.do === 'rename back') {
      const [from, to] = step.do === 'rename' ? [main, paths.moved] : [paths.moved, main]
      if (!existsSync(from)) return false
      renameSync(from, to)
      return true
    }
    if (step.do === 'copy all parts') {
      const file = world.named(main)
      const backUp = keep(main)
      if (file === null || backUp === null || isHeld(null, paths.copy)) return false
      rmSync(join(root, 'c'), { recursive: true })
      mkdirSync(join(root, 'c'))
      for (const part of ['', ...parts]) if (existsSync(main + part)) copyFileSync(main + part, paths.copy + part)
      placed(paths.copy, backUp, null)
      if (hasSides(paths.copy)) world.copySides(paths.copy, world.named(paths.copy)!)
      return true
    }
    if (step.do === 'link' || step.do === 'unlink') {
      if (step.do === 'unlink' ? !existsSync(paths.link) : !existsSync(main) || existsSync(paths.link)) return false
      if (step.do === 'link') linkSync(main, paths.link)
      else rmSync(paths.link)
      return true
    }
    if (step.do === 'delete folder') {
      if (!hasFolder || mounts.size > 0) return false
      rmSync(join(root, 'a'), { recursive: true })
      for (const path of [main, paths.moved, paths.link]) world.look(path)
      return true
    }
    if (step.do === 'rename folder' || step.do === 'rename folder back') {
      const [from, to] = step.do === 'rename folder' ? ['a', 'b'] : ['b', 'a']
      if (!existsSync(join(root, from)) || existsSync(join(root, to)) || mounts.size > 0) return false
      renameSync(join(root, from), join(root, to))
      world.move(join(root, from, 'memory.sqlite'), join(root, to, 'memory.sqlite'))
      return true
    }
    if (step.do === 'mount' || step.do === 'mount file') {
      const [from, to] = step.do === 'mount' ? [join(root, 'a'), join(root, 'm')] : [main, paths['mounted file']]
      if (!isRoot || mounts.has(step.do) || !existsSync(from)) return false
      if (step.do === 'mount file') writeFileSync(to, '')
      execFileSync('mount', ['--bind', from, to], { stdio: 'ignore' })
      mounts.add(step.do)
      return true
    }
    if (!hasFolder || !existsSync(main)) return false
    if (step.do === 'git commit') {
      if (!existsSync(join(root, 'a/.git'))) git('init', '-q')
      try {
        git('add', '-f', 'memory.sqlite')
        git('commit', '-q', '--allow-empty', '-m', 'the memory')
      } catch {
        // The file changed while Git read it.
        return false
      }
      commit = keep(main)
      return true
    }
    if (!existsSync(join(root, 'a/.git')) || commit === null || mounts.size > 0) return false
    if (step.do === 'git clean') {
      const had = hasSides(main)
      git('clean', '-fdxq', '-e', 'moved.sqlite*', '-e', 'link.sqlite*')
      if (had) world.tear(main)
      return true
    }
    const earlier = world.named(main)
    git('checkout', '-f', 'HEAD', '--', 'memory.sqlite')
    // Git leaves a file alone that it takes for unchanged.
    if (!world.isNamed(main, earlier)) placed(main, commit, earlier)
    return true
  }

  const unmount = () => {
    for (const name of mounts)
      execFileSync('umount', ['-l', name === 'mount' ? join(root, 'm') : paths['mounted file']], { stdio: 'ignore' })
    mounts.clear()
  }
  return {
    world,
    paths,
    sidesAt: (path) => (path === paths.mount && mounts.has('mount') ? main : path),
    hasMounts: () => mounts.size > 0,
    exchange,
    unmount,
    remove() {
      unmount()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Tests `npm create scrubjay`: what each template writes, what bad input changes (nothing), and what is published. `npm run hosts` builds and runs the apps. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { templates } from '../../../create/create-app.mjs'
import { root, run } from '../../support/install-package.ts'

const command = join(root, 'create/cli.mjs')
const names = Object.keys(templates)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-create-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

describe.each(names)('the template %s', (name) => {
  test('is written whole into a new folder, with the name of the folder', async () => {
    const { code, stdout } = await create([name, 'My first App'])
    expect(code).toBe(0)
    expect(stdout).toContain('Created My first App. Next:\n\n  cd "My first App"\n  npm install\n  npm run ')
    const app = join(folder, 'My first App')
    expect(await readdir(app)).toEqual(
      expect.arrayContaining(['.gitignore', 'README.md', 'package.json', 'src', 'tsconfig.json', 'vite.config.ts']),
    )
    expect(await readdir(app)).not.toContain('gitignore')
    const manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'))
    expect(manifest.name).toBe('my-first-app')
    // The version of this checkout, and public libraries by version alone.
    expect(manifest.dependencies.scrubjay).toBe(`^${versionOf('package.json')}`)
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^\^\d+\.\d+\.\d+$/)
  })

  test('has a README with its two commands and few files', async () => {
    await create([name])
    const readme = await readFile(join(folder, name, 'README.md'), 'utf8')
    expect(readme).toMatch(/```sh\nnpm install\nnpm run (?:dev|build)\n```/)
    expect((await readdir(join(folder, name), { recursive: true })).length).toBeLessThanOrEqual(15)
  })

  test('imports only files that it has', async () => {
    await create([name])
    const source = join(folder, name, 'src')
    for (const file of await readdir(source)) {
      const imports = (await readFile(join(source, file), 'utf8')).matchAll(/(?:from|import) '\.\/([^']+)'/g)
      for (const [, target = ''] of imports) expect(existsSync(join(source, target)), `${file}: ${target}`).toBe(true)
    }
  })
})

test('an empty folder that exists is used, also the one that the command runs in', async () => {
  await mkdir(join(folder, 'empty'))
  expect((await create(['notes', 'empty'])).code).toBe(0)
  await mkdir(join(folder, 'here'))
  const { code, stdout } = await create(['notes', '.'], join(folder, 'here'))
  expect([code, stdout.includes('cd ')]).toEqual([0, false])
  expect(existsSync(join(folder, 'here/package.json'))).toBe(true)
})

describe('bad input ends with code 1 and one message, and changes nothing', () => {
  const known = names.join(', ')
  test.each([
    [['tasks'], `The template must be one of ${known}, not \`tasks\`. For example: npm create scrubjay notes my-notes`],
    [['toString'], `The template must be one of ${known}, not \`toString\`.`],
    [[], 'The name of a template must be given.\n\nnpm create scrubjay <template> [folder]'],
    [['notes', '--force'], '`--force` must be left out'],
    [['notes', 'my', 'notes'], 'At most a template and a folder must be given, not 3 words.'],
    [['notes', ''], 'The folder must have a name.'],
    [['notes', 'full'], 'The folder full must be empty, and it has a.txt. Give another name, or empty it first.'],
    [['notes', 'file'], 'file must be a folder, and a file has this name or is on the way to it. Give another name.'],
    [['notes', 'file/in/it'], 'file/in/it must be a folder, and a file has this name or is on the way to it.'],
  ])('%j', async (words, message) => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full/a.txt'), 'kept')
    await writeFile(join(folder, 'file'), 'kept')
    const before = await contents()
    const { code, stdout, stderr } = await create(words)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n {4}at /)
    expect(await contents()).toEqual(before)
  })

  test.skipIf(process.platform === 'win32')('a folder that may not be written', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed)
    // Root may write everywhere, so the command runs as another user.
    await chmod(folder, 0o755)
    await chmod(closed, 0o555)
    const { code, stderr } = await create(
      ['notes', 'closed/app'],
      folder,
      process.getuid?.() === 0 ? 65_534 : undefined,
    )
    expect([code, stderr]).toEqual([
      1,
      'The folder closed/app must be one that you may write (EACCES). Use a folder in your home, or change its rights.\n',
    ])
    expect(await contents()).toEqual(['closed'])
  })
})

test.skipIf(process.platform === 'win32').each([['app'], ['.']])(
  'a failure in the middle of writing leaves nothing in %s',
  async (target) => {
    // No file may be longer than this, so the first long one of the template fails.
    const limited = `ulimit -f 1; exec "$0" "$1" notes ${target}`
    const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, command], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${target} could not be created: EFBIG`)])
    expect(await contents()).toEqual([])
  },
)

test('`--help` lists the templates', async () => {
  const { code, stdout } = await create(['--help'])
  expect(code).toBe(0)
  for (const name of names) expect(stdout).toContain(`  ${name}`)
})

test('every folder of a template is in the list, and in the README', async () => {
  expect((await readdir(join(root, 'create/templates'))).sort()).toEqual([...names].sort())
  const readme = await readFile(join(root, 'create/README.md'), 'utf8')
  expect(names.filter((name) => !readme.includes(`| \`${name}\``))).toEqual([])
})

test('the package has the version of scrubjay, no dependencies, and the files that the command needs', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'create/package.json'), 'utf8'))
  expect([manifest.version, manifest.dependencies]).toEqual([versionOf('package.json'), undefined])
  const [{ files, size }] = JSON.parse(await run('npm', ['pack', '--json', '--dry-run'], join(root, 'create')))
  const paths = files.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['README.md', 'cli.mjs', 'create-app.mjs', 'package.json', 'shared/gitignore']),
  )
  for (const name of names) expect(paths).toContain(`templates/${name}/package.json`)
  expect(paths.filter((path: string) => /tsconfig|stand-ins/.test(path))).toEqual(['shared/tsconfig.json'])
  expect(size).toBeLessThan(30_000)
  expect(await readFile(join(root, '.github/workflows/release.yml'), 'utf8')).toContain('create-scrubjay@')
})

function create(words: readonly string[], cwd = folder, uid?: number) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(
      process.execPath,
      [command, ...words],
      { cwd, ...(uid === undefined ? {} : { uid }) },
      (error, stdout, stderr) => done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

async function contents(): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort()
}

function versionOf(path: string): string {
  return JSON.parse(readFileSync(join(root, path), 'utf8')).version
}

/** Starts Apache with a WebDAV collection `store/` in a folder of its own. `.ci/install-browsers.sh` installs it from Debian. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missing } from './missing.ts'
import { endGroup, ownFolder, spawnGroup } from '../browsers/process-group.ts'

const apache = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'

export const hasApache = missing(!existsSync(apache), 'Apache is not installed: apt-get install apache2') === null

export interface Apache {
  /** Without a slash at its end. */
  readonly url: string
  /** The files of the collection `store/`. */
  readonly store: string
  close(): Promise<void>
}

export interface ApacheOptions {
  /** Modules besides those of WebDAV, without `mod_`. */
  readonly modules?: readonly string[]
  /** More lines of the directory's configuration. `{folder}` stands for a folder that Apache can read. */
  readonly directory?: readonly string[]
  /** `name:password` of the file `{folder}/users`. */
  readonly user?: string
}

export async function startApache(options: ApacheOptions = {}): Promise<Apache> {
  const folder = await mkdtemp(join(tmpdir(), 'scrubjay-dav-'))
  const removeFolder = ownFolder(folder)
  const store = join(folder, 'root/store')
  await mkdir(store, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const load = (name: string) => `LoadModule ${name}_module ${modules}/mod_${name}.so`
  const [name, password] = options.user?.split(':') ?? []
  if (password !== undefined) await writeFile(join(folder, 'users'), `${name}:${hashOf(password)}\n`)
  await writeFile(
    join(folder, 'apache.conf'),
    [
      ...['mpm_event', 'authz_core', 'dav', 'dav_fs', 'dav_lock', ...(options.modules ?? [])].map(load),
      `ServerRoot "${folder}"`,
      'ServerName 127.0.0.1',
      `Listen 127.0.0.1:${port}`,
      `PidFile "${folder}/pid"`,
      `ErrorLog "${folder}/errors"`,
      `DocumentRoot "${folder}/root"`,
      `DavLockDB "${folder}/locks"`,
      `User ${process.getuid?.() === 0 ? 'www-data' : '#-1'}`,
      `<Directory "${folder}/root">`,
      '  Dav On',
      ...(options.directory ?? ['Require all granted']).map((line) => `  ${line.replaceAll('{folder}', folder)}`),
      '</Directory>',
    ].join('\n'),
  )
  // The server's processes run as another user, if the tests run as root.
  for (const path of [folder, join(folder, 'root'), store]) await chmod(path, 0o777)
  const server = spawnGroup(apache, ['-DFOREGROUND', '-f', join(folder, 'apache.conf')], { stdio: 'ignore' })
  const close = async () => {
    if (server.pid !== undefined) await endGroup(server.pid)
    await removeFolder()
  }
  try {
    await answers(url)
  } catch (error) {
    await close()
    throw error
  }
  return { url, store, close }
}

/** As `htpasswd -s` writes it. */
function hashOf(password: string): string {
  return `{SHA}${createHash('sha1').update(password).digest('base64')}`
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(url).catch(() => null)
    if (response !== null) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('Apache did not start')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

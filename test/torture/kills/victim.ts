/**
 * The victim, in which the site's page is loaded, and how it dies: a whole browser over a profile that outlives it, or
 * the renderer processes of a browser that goes on. WebKit is started without automation, under which it would keep
 * nothing: its page runs by itself, like all of them here.
 */
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type BrowserKind, openBrowser } from '../../support/browsers/browsers.ts'
import { findMiniBrowser, findProgram } from '../../support/browsers/find-browser.ts'
import { lateCompiler } from '../../support/browsers/webkit-browser.ts'
import { killGroup, ownFolder, spawnGroup } from '../../support/browsers/process-group.ts'
import { until, within } from '../../support/browsers/within.ts'

export interface Victims {
  readonly kind: BrowserKind
  start(url: string): Promise<Victim>
  close(): Promise<void>
}

export interface Victim {
  readonly version: string
  /** SIGKILLs its processes; resolves when they are gone. */
  kill(): Promise<void>
}

/** Each victim is a browser of its own, over one profile. */
export async function browsersToKill(kind: BrowserKind, compilesLate: boolean): Promise<Victims> {
  const profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-kills-'))
  return { kind, start: (url) => startBrowser(kind, { profileDir, compilesLate }, url), close: ownFolder(profileDir) }
}

/** Each victim is a tab of one Chromium, all of whose renderer processes are killed. */
export async function renderersToKill(compilesLate: boolean): Promise<Victims> {
  const browser = await openBrowser('chromium', { compilesLate })
  const renderers = async () => {
    type Processes = { readonly processInfo: readonly { readonly type: string; readonly id: number }[] }
    const { processInfo } = await browser.devtools<Processes>('SystemInfo.getProcessInfo')
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  }
  return {
    kind: 'chromium',
    async start(url) {
      const page = await browser.page(url)
      return {
        version: browser.version,
        async kill() {
          const ids = await renderers()
          for (const id of ids) signalKill(id)
          await until(10_000, 'the end of the renderers', async () => {
            const alive = new Set(await renderers())
            return ids.some((id) => alive.has(id)) ? null : true
          })
          // Not awaited: the tab of a dead renderer does not always answer.
          void page.close().catch(() => undefined)
        },
      }
    },
    close: () => browser.close(),
  }
}

function signalKill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // It ended by itself, like spare processes do.
  }
}

interface Start {
  readonly profileDir: string
  /** As `OpenOptions.compilesLate`. */
  readonly compilesLate: boolean
}

async function startBrowser(kind: BrowserKind, options: Start, url: string): Promise<Victim> {
  if (kind === 'webkit') return startMiniBrowser(options, url)
  const browser = await openBrowser(kind, options)
  await browser.page(url)
  return {
    version: browser.version,
    kill: async () => {
      await browser.kill()
      await browser.close()
    },
  }
}

async function startMiniBrowser({ profileDir, compilesLate }: Start, url: string): Promise<Victim> {
  const program = findMiniBrowser()
  if (program === null) throw new Error('no MiniBrowser found')
  const display = process.env['DISPLAY'] || (await startDisplay())
  const child = spawnGroup(program, [url], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      ...(compilesLate ? lateCompiler : {}),
      HOME: profileDir,
      XDG_DATA_HOME: `${profileDir}/data`,
      XDG_CACHE_HOME: `${profileDir}/cache`,
      XDG_CONFIG_HOME: `${profileDir}/config`,
    },
  })
  return { version: 'MiniBrowser', kill: () => killGroup(child.pid ?? 0) }
}

let display: Promise<string> | undefined

/** One for all victims; it ends with this process. */
function startDisplay(): Promise<string> {
  display ??= (async () => {
    const xvfb = findProgram('Xvfb')
    if (xvfb === null) throw new Error('no Xvfb found')
    const child = spawnGroup(xvfb, ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    child.unref()
    const numberPipe = child.stdio[3] as NodeJS.ReadableStream
    const [line] = (await within(20_000, 'the start of Xvfb', once(createInterface(numberPipe), 'line'))) as [string]
    return `:${line.trim()}`
  })()
  return display
}

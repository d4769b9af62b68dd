/**
 * A browser with a profile that outlives it, made to load one page and then killed. WebKit is started without automation,
 * under which it would keep nothing: its page drives itself, as all of them do here.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openBrowser, type BrowserKind } from '../../support/browsers.ts'
import { findMiniBrowser, findProgram } from '../../support/find-browser.ts'
import { killGroup, spawnGroup } from '../../support/process-group.ts'
import { within } from '../../support/within.ts'

export interface Victim {
  readonly version: string
  /** SIGKILLs all of its processes; resolves when they are gone. */
  kill(): Promise<void>
}

export async function startVictim(kind: BrowserKind, profileDir: string, url: string): Promise<Victim> {
  if (kind === 'webkit') return startMiniBrowser(profileDir, url)
  const browser = await openBrowser(kind, { profileDir })
  await browser.page(url)
  return {
    version: browser.version,
    kill: async () => {
      await browser.kill()
      await browser.close()
    },
  }
}

async function startMiniBrowser(profileDir: string, url: string): Promise<Victim> {
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

/**
 * Finds the browsers of this machine: environment variable first, then PATH, then the usual places of Debian, Fedora
 * and macOS. Neither runs nor installs them (.ci/install-browsers.sh installs).
 */
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type BrowserKind = 'chromium' | 'firefox' | 'webkit'

const allKinds: readonly BrowserKind[] = ['chromium', 'firefox', 'webkit']
const wantedKinds = process.env['SCRUBJAY_BROWSERS']?.split(',')

/** Every kind a suite should run in, in the order it runs. SCRUBJAY_BROWSERS=chromium leaves the others out. */
export const browserKinds: readonly BrowserKind[] = allKinds.filter((kind) => wantedKinds?.includes(kind) ?? true)

interface Locations {
  readonly variable: string
  readonly commands: readonly string[]
  readonly paths: readonly string[]
  readonly debianPackage: string
}

const locations: Readonly<Record<BrowserKind, Locations>> = {
  chromium: {
    variable: 'SCRUBJAY_CHROMIUM',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    paths: [
      '/usr/bin/chromium',
      '/usr/lib/chromium/chromium',
      '/opt/google/chrome/chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    debianPackage: 'chromium',
  },
  firefox: {
    variable: 'SCRUBJAY_FIREFOX',
    commands: ['firefox-esr', 'firefox'],
    paths: [
      '/usr/bin/firefox-esr',
      '/usr/lib/firefox-esr/firefox-esr',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
    ],
    debianPackage: 'firefox-esr',
  },
  webkit: {
    variable: 'SCRUBJAY_WEBKIT_DRIVER',
    commands: ['WebKitWebDriver'],
    paths: ['/usr/bin/WebKitWebDriver', '/usr/libexec/WebKitWebDriver'],
    debianPackage: 'webkit2gtk-driver',
  },
}

/**
 * The program that runs this kind of browser, or null. For WebKit it is the WebDriver server. A variable that names no
 * program gives null: no other program is used silently.
 */
export function findBrowser(kind: BrowserKind): string | null {
  const { variable, commands, paths } = locations[kind]
  const requested = process.env[variable]
  if (requested) return isProgram(requested) ? requested : null
  return commands.map(findProgram).find((path) => path !== null) ?? paths.find(isProgram) ?? null
}

/** The reason why this kind of browser cannot run here and what to do about it, or null when it can. */
export function explainMissing(kind: BrowserKind): string | null {
  const { variable, commands, debianPackage } = locations[kind]
  const requested = process.env[variable]
  if (findBrowser(kind) === null) {
    return requested
      ? `${variable} is "${requested}", which is not a program; correct or unset it`
      : `no ${commands.join(', ')} found; install Debian's ${debianPackage} or set ${variable}`
  }
  if (kind !== 'webkit') return null
  if (findMiniBrowser() === null) return "WebKit's MiniBrowser was not found; set SCRUBJAY_WEBKIT_MINIBROWSER"
  if (!process.env['DISPLAY'] && findProgram('Xvfb') === null) {
    return "WebKit needs a display: set DISPLAY or install Debian's xvfb"
  }
  return null
}

/** The small WebKitGTK browser that WebKitWebDriver automates, or null. */
export function findMiniBrowser(): string | null {
  const requested = process.env['SCRUBJAY_WEBKIT_MINIBROWSER']
  if (requested) return isProgram(requested) ? requested : null
  const roots = [
    '/usr/lib',
    '/usr/libexec',
    '/usr/lib64',
    ...listFolder('/usr/lib').filter((path) => path.endsWith('-linux-gnu')),
  ]
  const flavours = ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0']
  const candidates = roots.flatMap((root) => flavours.map((flavour) => join(root, flavour, 'MiniBrowser')))
  return candidates.find(isProgram) ?? null
}

/** Looks a command up in PATH. */
export function findProgram(command: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, command)).find(isProgram) ?? null
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

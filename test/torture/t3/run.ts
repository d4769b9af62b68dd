/**
 * T3: power loss under the shipped storage code in a real Chromium, in both loss models, with controls that must fail.
 * Red when anything was lost, when no free page was reclaimed, and when a control finds nothing, because then the
 * simulator proves nothing.
 */
import { parseArgs } from 'node:util'
import { serveFolder } from '../../../demo/static-server.mjs'
import { openBrowser, type Page } from '../../support/browsers/browsers.ts'
import { bundleWorker } from '../bundle.ts'
import { type Outcome, seedsFrom } from '../outcome.ts'
import type { LossModel } from './fake-opfs.ts'
import type { TrialResult } from './judge-trial.ts'
import type { Mode, Place } from './trial.ts'
import type { TrialBatch } from './worker.ts'

interface Line {
  readonly mode: Mode
  readonly model: LossModel
  readonly results: readonly TrialResult[]
  readonly seconds: number
}

/** Trials in one worker: memory of dead connections is freed with it. */
const batchTrials = 100
/** A control stops after the batch in which it failed; it turns the run red when no batch did. */
const controlBatchTrials = 5
const longestControlTrials = 500

/**
 * `--crashes` over both loss models, `--from` the first seed, `--control-from` that of the controls; `--place file` or `locked`: the file of a
 * server instead of OPFS; `locked-opfs`: a locked store in OPFS; `--seed`, `--model`, `--mode` replay one.
 */
export async function runPowerLoss(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      crashes: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      'control-from': { type: 'string' },
      seed: { type: 'string' },
      model: { type: 'string' },
      mode: { type: 'string' },
      place: { type: 'string', default: 'opfs' },
    },
  })
  const models = (values.model === undefined ? ['sector', 'prefix'] : [values.model]) as readonly LossModel[]
  const place = values.place as Place
  const bundle = await bundleWorker(new URL('./worker.ts', import.meta.url).pathname)
  const server = await serveFolder(bundle.folder)
  const browser = await openBrowser('chromium')
  try {
    const page = await browser.page(`${server.url}/`)
    print(`T3 power loss, Chromium ${browser.version}`)
    if (values.seed !== undefined) {
      const mode = (values.mode ?? 'shipped') as Mode
      const results: TrialResult[] = []
      for (const model of models)
        results.push(...(await runTrials(page, { firstSeed: Number(values.seed), count: 1, model, mode, place })))
      print(results)
      return {
        isGreen: mode !== 'shipped' || results.every(({ verdict }) => verdict === 'sound'),
        size: `${results.length} crashes`,
        seeds: values.seed,
        result: results.map(({ verdict }) => verdict).join(', '),
        control: 'not run',
        browsers: `chromium ${browser.version}`,
      }
    }
    const lines = await runAll(page, place, models, Math.ceil(Number(values.crashes) / models.length), {
      shipped: Number(values.from),
      control: Number(values['control-from'] ?? values.from),
    })
    return conclude(lines, `chromium ${browser.version}`)
  } finally {
    await browser.close()
    await server.close()
    await bundle.remove()
  }
}

async function runAll(
  page: Page,
  place: Place,
  models: readonly LossModel[],
  crashesPerModel: number,
  firstSeeds: Record<'shipped' | 'control', number>,
): Promise<readonly Line[]> {
  const lines: Line[] = []
  print(
    row([
      'mode',
      'model',
      'seeds',
      'mid-call',
      'recoveries hit',
      'acknowledged',
      'in flight kept',
      'lost',
      'corrupt',
      'not opened',
      'seconds',
    ]),
  )
  for (const mode of modesOf(place)) {
    for (const model of models) {
      const line = await runLine(
        page,
        place,
        mode,
        model,
        firstSeeds[mode === 'shipped' ? mode : 'control'],
        mode === 'shipped' ? crashesPerModel : longestControlTrials,
      )
      lines.push(line)
      print(rowOf(line))
      const failures = line.results.filter(({ verdict }) => verdict !== 'sound')
      if (mode === 'shipped') {
        for (const { seed, verdict, reason } of failures.slice(0, 10)) {
          print(
            `  ${verdict}: ${reason}\n  replay: node test/torture/run.mjs t3 --place ${place} --seed ${seed} --model ${model}`,
          )
        }
      } else if (failures.length === 0) print(`  the control ${mode} found nothing: the simulator proves nothing`)
    }
  }
  return lines
}

/** A locked store opens only with a journal that encrypts its pages, so that its control acknowledges before the sync. */
function modesOf(place: Place): readonly Mode[] {
  const isLocked = place === 'locked' || place === 'locked-opfs'
  return isLocked ? ['shipped', 'synchronous=OFF'] : ['shipped', 'journal_mode=MEMORY', 'synchronous=OFF']
}

function conclude(lines: readonly Line[], browsers: string): Outcome {
  const shipped = lines.filter(({ mode }) => mode === 'shipped')
  const controls = lines.filter(({ mode }) => mode !== 'shipped')
  const results = shipped.flatMap((line) => line.results)
  const returnedPages = results.reduce((sum, result) => sum + result.returnedPages, 0)
  const failuresOf = (line: Line) => line.results.filter(({ verdict }) => verdict !== 'sound').length
  const count = (verdict: TrialResult['verdict']) => results.filter((result) => result.verdict === verdict).length
  return {
    isGreen:
      shipped.every((line) => failuresOf(line) === 0) &&
      controls.every((line) => failuresOf(line) > 0) &&
      returnedPages > 0,
    size: `${results.length} crashes`,
    seeds: seedsFrom(results[0]?.seed ?? 0, shipped[0]?.results.length ?? 0),
    result: `${results.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} acknowledged, ${returnedPages} pages returned, ${count('lost')} lost, ${count('corrupt')} corrupt, ${count('not opened')} not opened`,
    control: controls
      .map((line) => `${line.mode}, ${line.model}: ${failuresOf(line)} of ${line.results.length}`)
      .join('; '),
    browsers,
  }
}

async function runLine(
  page: Page,
  place: Place,
  mode: Mode,
  model: LossModel,
  firstSeed: number,
  count: number,
): Promise<Line> {
  const results: TrialResult[] = []
  const startedMs = performance.now()
  while (results.length < count) {
    const longest = mode === 'shipped' ? batchTrials : controlBatchTrials
    const batch = {
      firstSeed: firstSeed + results.length,
      count: Math.min(longest, count - results.length),
      model,
      mode,
      place,
    }
    results.push(...(await runTrials(page, batch)))
    if (mode !== 'shipped' && results.some(({ verdict }) => verdict !== 'sound')) break
  }
  return { mode, model, results, seconds: (performance.now() - startedMs) / 1000 }
}

async function runTrials(page: Page, batch: TrialBatch): Promise<readonly TrialResult[]> {
  const program = `async (batch) => {
    const answer = await window.ask('trials', batch)
    window.terminate('trials')
    return answer
  }`
  const { value, error } = await page.evaluate<{ value?: readonly TrialResult[]; error?: { message: string } }>(
    program,
    batch,
  )
  if (!value)
    throw new Error(`the trials from seed ${batch.firstSeed} (${batch.model}, ${batch.mode}) broke: ${error?.message}`)
  return value
}

function rowOf({ mode, model, results, seconds }: Line): string {
  const count = (isCounted: (result: TrialResult) => boolean) => String(results.filter(isCounted).length)
  const sum = (measure: (result: TrialResult) => number) =>
    String(results.reduce((total, result) => total + measure(result), 0))
  return row([
    mode,
    model,
    `${results[0]?.seed}–${results.at(-1)?.seed}`,
    count(({ isCutShort }) => isCutShort),
    sum(({ recoveryLosses }) => recoveryLosses),
    sum(({ acknowledged }) => acknowledged),
    count(({ isInFlightKept }) => isInFlightKept),
    count(({ verdict }) => verdict === 'lost'),
    count(({ verdict }) => verdict === 'corrupt'),
    count(({ verdict }) => verdict === 'not opened'),
    seconds.toFixed(1),
  ])
}

function row(cells: readonly string[]): string {
  return cells.map((cell, i) => (i < 3 ? cell.padEnd(i === 0 ? 20 : 10) : cell.padStart(15))).join(' ')
}

function print(value: unknown): void {
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`)
}
